// Checks that every import follows the architecture (scripts/arrows/table.ts), that no files import each other in a ring, and
// that every export is imported by somebody.
// usage: node scripts/arrows.mjs [SOURCE_FOLDER]
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from './arrows/check.ts'
import { importCycles, modulesIn, unusedExports } from './arrows/graph.ts'
import { pageFaults } from './arrows/page.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { files, faults } = check(resolve(process.argv[2] ?? join(root, 'src')))
const modules = process.argv[2] ? new Map() : modulesIn(root, ['src', 'web', 'test', 'bench', 'scripts'])
const entries = ['src/index.ts', 'src/client/index.ts', 'src/cli/main.ts', 'web/vite.config.ts']
const found = [
  ...faults,
  ...pageFaults(join(root, 'web')),
  ...importCycles(modules),
  ...unusedExports(modules, entries),
]
for (const fault of found) process.stderr.write(`${fault}\n`)
if (found.length > 0) process.exit(1)
process.stdout.write(`${files} files follow the architecture\n`)
