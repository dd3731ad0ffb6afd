import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { keyedHash, sha256Stream } from '../../hash/index.ts'
import type { Files } from './files.ts'
import type { DuckSource } from './relation.ts'

/** The files, and what DuckDB has written beside them but not yet into them. */
async function allFiles(files: Files): Promise<{ path: string; name: string }[]> {
  const listed = files.paths.map((path, i) => ({ path, name: files.names[i]! }))
  if (files.format !== 'database') return listed
  const log = { path: `${files.paths[0]}.wal`, name: `${files.names[0]}.wal` }
  return (await stat(log.path).catch(() => undefined)) ? [...listed, log] : listed
}

async function contentHash(path: string): Promise<string> {
  const hash = sha256Stream()
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece)
  return hash.digest('hex')
}

/**
 * What the file system says of every file, or the content's hash. Size and time of writing alone would not notice a copy
 * that keeps its times (cp -p, rsync -t) or a link to another file; the time of change and the file's number do.
 */
const describe = {
  quick: async (path: string) => {
    const { size, mtimeNs, ctimeNs, ino, dev } = await stat(path, { bigint: true })
    return `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`
  },
  full: contentHash,
}

/** A keyed digest of the files and of what is read from them. */
export async function fingerprint(
  source: DuckSource,
  files: Files,
  key: Uint8Array,
  depth: 'quick' | 'full',
): Promise<string> {
  const parts: string[][] = []
  for (const { path, name } of await allFiles(files)) parts.push([name, await describe[depth](path)])
  return keyedHash(key, JSON.stringify([depth, source.table ?? null, source.sql ?? null, parts]))
}
