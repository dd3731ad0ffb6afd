// Checks that every import follows the architecture (scripts/arrows/table.ts).
// usage: node scripts/arrows.mjs [SOURCE_FOLDER]
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from './arrows/check.ts'

const source = resolve(process.argv[2] ?? join(dirname(dirname(fileURLToPath(import.meta.url))), 'src'))
const { files, faults } = check(source)
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) process.exit(1)
process.stdout.write(`${files} files follow the architecture\n`)
