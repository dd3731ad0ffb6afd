import { realpathSync, type Stats, statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { ReticentError } from '../../../schema/index.ts'
import { OwnersError, unreadable } from '../sql/index.ts'
import type { Encoding } from './encoding.ts'
import { identityOf } from './open-files.ts'

type Format = 'text' | 'parquet' | 'database'

export interface SourceFile {
  /** Absolute, as the policy names it. */
  readonly path: string
  /** Where its links led when it was looked up: what is read. A link that is moved meanwhile leads nobody astray. */
  readonly real: string
  /** How its text is written, where it is not UTF-8. */
  readonly encoding?: Encoding
  /** Which file that was, of those that are held open. */
  readonly identity?: string
  /** Its path without the folder that all of the source's files share, so that moving it changes nothing. */
  readonly name: string
}

/** The files that a source's path stands for, in the order of their paths. */
export interface Files {
  readonly format: Format
  readonly all: readonly SourceFile[]
  /** What DuckDB has written beside its file but not yet into it. */
  readonly log?: SourceFile
}

const endings: [RegExp, Format][] = [
  [/\.(csv|tsv|txt)(\.gz)?$/i, 'text'],
  [/\.parquet$/i, 'parquet'],
  [/\.(duckdb|db|ddb)$/i, 'database'],
]
const magic = /[*?[\]{}]/

/**
 * Whether there is a file: no folder, and no pipe or device, which might never end. Every question looks at its files three times, and
 * to look takes a tenth of the time that it takes to have another thread do so.
 */
function isFile(path: string): boolean | undefined {
  let found: Stats | undefined
  try {
    found = statSync(path, { throwIfNoEntry: false })
  } catch {}
  return found?.isFile()
}

/** A path that exists is itself, whatever characters it has; otherwise it is a pattern. */
async function matches(path: string): Promise<string[]> {
  if (isFile(path)) return [path]
  const found: string[] = []
  if (magic.test(path)) for await (const match of glob(path)) if (isFile(match)) found.push(match)
  return found.sort()
}

export async function resolveFiles(path: string, encoding?: Encoding): Promise<Files> {
  if (!isAbsolute(path)) throw new RangeError('a source needs an absolute path')
  const format = endings.find(([ending]) => ending.test(path))?.[1]
  if (!format) {
    throw unreadable(
      'the format of the source cannot be told from its extension',
      'Supported: .csv, .tsv, .txt (also with .gz), .parquet, .duckdb, .db, .ddb.',
      { path },
    )
  }
  const paths = await matches(path)
  if (paths.length === 0) {
    throw new ReticentError('source-missing', { path }, { message: `there is no file ${path}` })
  }
  if (format === 'database' && paths.length > 1) throw new OwnersError('a source can be one DuckDB file, not several')
  const folder = paths.map((p) => dirname(p)).reduce(sharedFolder)
  const nameOf = (p: string) => (paths.length === 1 ? basename(p) : relative(folder, p))
  const written = format === 'text' && encoding ? { encoding } : {}
  const all = paths.map((p) => ({ path: p, real: realpathSync.native(p), name: nameOf(p), ...written }))
  // DuckDB would read such a name as a pattern.
  const odd = all.find((file) => magic.test(file.path) || magic.test(file.real))
  if (odd)
    throw new OwnersError('the name of a source file contains one of * ? [ ] { }', 'Rename the file.', {
      path: odd.path,
    })
  if (format !== 'database') return { format, all }
  const held = { ...all[0]!, identity: await identityOf(all[0]!.real) }
  return { format, all: [held], log: logBeside(held) }
}

function logBeside({ path, real, name }: SourceFile): SourceFile | undefined {
  const log = { path: `${path}.wal`, real: `${real}.wal`, name: `${name}.wal` }
  const found = isFile(log.real)
  if (found === false)
    throw new OwnersError('the log beside the DuckDB file is not a file', undefined, { path: log.real })
  return found ? log : undefined
}

function sharedFolder(a: string, b: string): string {
  while (relative(a, b).startsWith('..')) a = join(a, '..')
  return a
}
