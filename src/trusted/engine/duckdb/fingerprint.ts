import { createReadStream, statSync } from 'node:fs'
import { keyedHash, sha256Stream } from '../../hash/index.ts'
import type { Files } from './files.ts'
import type { DuckSource } from './views.ts'

/** A keyed digest of what the file system says of the files, and when any of them was last written or otherwise changed, by their own times. */
export async function metadataDigest(
  source: DuckSource,
  files: Files,
  key: Uint8Array,
): Promise<{ quick: string; changedAt: number }> {
  let latest = 0n
  const quick = await digest(
    'quick',
    async (path) => {
      const { text, changedAt } = metadata(path)
      if (changedAt > latest) latest = changedAt
      return text
    },
    { source, files, key },
  )
  return { quick, changedAt: Number(latest) / 1e6 }
}

/** A keyed digest of the files' content. Aborted, it fails. */
export const contentDigest = (
  source: DuckSource,
  files: Files,
  key: Uint8Array,
  signal?: AbortSignal,
): Promise<string> => digest('full', (path) => contentHash(path, signal), { source, files, key })

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
  return hashed(key, JSON.stringify([depth, source.table ?? null, source.sql ?? null, parts, ...written]))
}

/** The last text and its digest by key: a source is looked at again and again, and nearly always looks the same. */
const last = new WeakMap<Uint8Array, { text: string; digest: string }>()

function hashed(key: Uint8Array, text: string): string {
  const before = last.get(key)
  if (before?.text === text) return before.digest
  const digest = keyedHash(key, text)
  last.set(key, { text, digest })
  return digest
}

/**
 * Size and time of writing alone would not notice a copy that keeps its times (cp -p, rsync -t) or a link to another
 * file; the time of change and the file's number do.
 */
function metadata(path: string): { text: string; changedAt: bigint } {
  const { size, mtimeNs, ctimeNs, ino, dev } = statSync(path, { bigint: true })
  return {
    text: `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`,
    changedAt: mtimeNs > ctimeNs ? mtimeNs : ctimeNs,
  }
}

async function contentHash(path: string, signal?: AbortSignal): Promise<string> {
  const hash = sha256Stream()
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, signal })) hash.update(piece)
  return hash.digest('hex')
}
