import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { importFaults } from './imports.ts'
import { nameFaults } from './names.ts'
import { folderOf, isTest } from './places.ts'
import { read } from './read.ts'

/** Only plain TypeScript files: what else could be imported would not be looked at, and a link would be in two places. */
function treeFault(entry: Dirent, file: string): string | undefined {
  if (!entry.isFile() || !file.endsWith('.ts')) return 'only .ts files belong in src, and no links'
  return folderOf(file) === undefined ? 'no such folder in the architecture' : undefined
}

function fileFaults(text: string, file: string, files: Set<string>): string[] {
  const reading = read(file, text)
  const faults = [
    ...reading.errors.map((message) => ({ at: 0, why: `not read: ${message}` })),
    ...reading.imports.flatMap((found) => importFaults(file, found, reading, files)),
    ...nameFaults(reading, isTest(file)),
  ]
  const lineOf = (at: number) => text.slice(0, at).split('\n').length
  const lines = faults.sort((a, b) => a.at - b.at).map(({ at, why }) => `${file}:${lineOf(at)}: ${why}`)
  return [...new Set(lines)]
}

/**
 * Checks a source folder against the architecture (table.ts): who imports whom, what comes from outside, and that
 * nothing gets past the imports. It is there to catch slips and shortcuts, in a file that a person has also read; it is
 * no sandbox for code that means harm.
 */
export function check(source: string): { files: number; faults: string[] } {
  const entries = readdirSync(source, { recursive: true, withFileTypes: true }).filter((e) => !e.isDirectory())
  const named = entries.map((entry) => ({
    entry,
    file: relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'),
  }))
  const files = new Set(named.map(({ file }) => file))
  const faults = named.flatMap(({ entry, file }) => {
    const wrong = treeFault(entry, file)
    return wrong ? [`${file}: ${wrong}`] : fileFaults(readFileSync(join(source, file), 'utf8'), file, files)
  })
  return { files: files.size, faults }
}
