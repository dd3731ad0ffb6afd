import { glob, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { ReticentError } from '../../../schema/index.ts'

export type Format = 'text' | 'parquet' | 'database'

/** The files that a source's path stands for. */
export interface Files {
  readonly format: Format
  /** Absolute, in the order of their names. */
  readonly paths: readonly string[]
  /** The same without the folder that all of them share, so that moving it changes nothing. */
  readonly names: readonly string[]
}

const endings: [RegExp, Format][] = [
  [/\.(csv|tsv|txt)(\.gz)?$/i, 'text'],
  [/\.parquet$/i, 'parquet'],
  [/\.(duckdb|db|ddb)$/i, 'database'],
]
const magic = /[*?[\]{}]/

export const unreadable = (message: string, hint?: string, facts = {}) =>
  new ReticentError('source-unreadable', facts, { message, hint })

/**
 * A fault told in words that depend on what is inside the source: a file that lost its header has a record where its
 * columns' names should be, and names of files and tables may name people. For the owner; the engine tells others
 * `unreadableSource` instead.
 */
export class OwnersError extends ReticentError {
  constructor(message: string, hint?: string, facts = {}) {
    super('source-unreadable', facts, { message, hint })
  }
}

/** All that anybody but the owner learns of a source that is not in order. */
export const unreadableSource = () =>
  unreadable(
    'the source cannot be read without error from beginning to end',
    'Its owner finds out why with `reticent check`.',
  )

const isFile = async (path: string) => (await stat(path).catch(() => undefined))?.isFile() === true

/** A path that exists is itself, whatever characters it has; otherwise it is a pattern. */
async function matches(path: string): Promise<string[]> {
  if (await isFile(path)) return [path]
  const found: string[] = []
  if (magic.test(path)) for await (const match of glob(path)) if (await isFile(match)) found.push(match)
  return found.sort()
}

export async function resolveFiles(path: string): Promise<Files> {
  if (!isAbsolute(path)) throw new RangeError('a source needs an absolute path')
  const format = endings.find(([ending]) => ending.test(path))?.[1]
  if (!format) {
    throw unreadable(
      'the ending of the source does not say what it is',
      'Supported: .csv, .tsv, .txt (also with .gz), .parquet, .duckdb, .db, .ddb.',
      { path },
    )
  }
  const paths = await matches(path)
  if (paths.length === 0) {
    throw new ReticentError('source-missing', { path }, { message: `there is no file ${path}` })
  }
  // DuckDB would read such a name as a pattern.
  const odd = paths.find((p) => magic.test(p))
  if (odd)
    throw new OwnersError('the name of a source file holds one of * ? [ ] { }', 'Rename the file.', { path: odd })
  if (format === 'database' && paths.length > 1) throw new OwnersError('a source can be one DuckDB file, not several')
  const folder = paths.map((p) => dirname(p)).reduce(sharedFolder)
  return { format, paths, names: paths.length === 1 ? [basename(paths[0]!)] : paths.map((p) => relative(folder, p)) }
}

function sharedFolder(a: string, b: string): string {
  while (relative(a, b).startsWith('..')) a = join(a, '..')
  return a
}
