import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { keyedHash, sha256Stream } from '../../hash/index.ts'
import { type Files, resolveFiles } from './files.ts'
import type { DuckSource } from './relation.ts'

/** What a source looks like without reading it. */
export interface Look {
  readonly files: Files
  /** A keyed digest of the files' metadata. */
  readonly quick: string
}

/** Looks the files up anew: one may have been added, replaced, or put behind a link. */
export async function lookAt(source: DuckSource, key: Uint8Array): Promise<Look> {
  const files = await resolveFiles(source.path)
  return { files, quick: await digest('quick', metadata, { source, files, key }) }
}

export const looksTheSame = (a: Look, b: Look): boolean =>
  a.quick === b.quick && JSON.stringify(a.files) === JSON.stringify(b.files)

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
  return keyedHash(key, JSON.stringify([depth, source.table ?? null, source.sql ?? null, parts]))
}

/**
 * Size and time of writing alone would not notice a copy that keeps its times (cp -p, rsync -t) or a link to another
 * file; the time of change and the file's number do.
 */
async function metadata(path: string): Promise<string> {
  const { size, mtimeNs, ctimeNs, ino, dev } = await stat(path, { bigint: true })
  return `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`
}

async function contentHash(path: string): Promise<string> {
  const hash = sha256Stream()
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece)
  return hash.digest('hex')
}
