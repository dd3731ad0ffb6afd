import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { read } from './read.ts'

/** The one file of the library that the page may import: what it knows of the server, it knows through the client. */
const client = '../src/client/index.ts'
const packages = ['preact', 'preact/hooks', '@observablehq/plot']
const packagesOfTests = ['vitest', 'fast-check']

function faultOf(file: string, target: string | undefined): string | undefined {
  if (target === undefined) return 'an import names its file as a plain string'
  if (file.endsWith('.test.ts') && packagesOfTests.includes(target)) return undefined
  if (!target.startsWith('.')) return packages.includes(target) ? undefined : 'not a package of the page'
  const path = posix.join(posix.dirname(file), target)
  return path.startsWith('../') && path !== client
    ? 'the page imports src/client/index.ts and nothing else of src'
    : undefined
}

/** Checks that the page reaches the library through the typed client alone. */
export function pageFaults(web: string): string[] {
  return readdirSync(web, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && file !== 'vite.config.ts')
    .flatMap((file) =>
      read(file, readFileSync(join(web, file), 'utf8')).imports.flatMap(({ target }) => {
        const why = faultOf(file, target)
        return why === undefined ? [] : [`web/${file}: ${target}: ${why}`]
      }),
    )
}
