import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { keyedHash, sha256Stream } from '../../hash/index.ts'
import type { Files } from './files.ts'
import type { DuckSource } from './views.ts'

/** A keyed digest of what the file system says of the files. */
export const metadataDigest = (source: DuckSource, files: Files, key: Uint8Array): Promise<string> =>
  digest('quick', metadata, { source, files, key })

/** A keyed digest of the files' content. */
export const contentDigest = (source: DuckSource, files: Files, key: Uint8Array): Promise<string> =>
  digest('full', contentHash, { source, files, key })

async function digest(
  depth: 'quick' | 'full',
  describe: (path: string) => Promise<string>,
  { source, files, key }: { source: DuckSource; files: Files; key: Uint8Array },
): Promise<string> {
  const parts: string[][] = []
  for (const { real, name } of [...files.all, ...(files.log ? [files.log] : [])])
    parts.push([name, await describe(real)])
  // The same bytes in another encoding are other data.
  const written = source.encoding ? [source.encoding] : []
  return keyedHash(key, JSON.stringify([depth, source.table ?? null, source.sql ?? null, parts, ...written]))
}

/**
 * Size and time of writing alone would not notice a copy that keeps its times (cp -p, rsync -t) or a link to another
 * file; the time of change and the file's number do.
 */
async function metadata(path: string): Promise<string> {
  const { size, mtimeNs, ctimeNs, ino, dev } = await stat(path, { bigint: true })
  return `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`
}

/** When any of the files was last written or otherwise changed, by their own times. */
export async function changedAt({ all, log }: Files): Promise<number> {
  const stats = await Promise.all([...all, ...(log ? [log] : [])].map(({ real }) => stat(real)))
  return Math.max(...stats.flatMap(({ mtimeMs, ctimeMs }) => [mtimeMs, ctimeMs]))
}

async function contentHash(path: string): Promise<string> {
  const hash = sha256Stream()
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece)
  return hash.digest('hex')
}
