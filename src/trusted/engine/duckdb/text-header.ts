import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OwnersError } from '../sql/index.ts'
import { type Encoding, toUtf8 } from './encoding.ts'
import type { SourceFile } from './files.ts'

/** Its name says how it is written; where its links lead there may be another. */
export type TextFile = Pick<SourceFile, 'path' | 'real' | 'encoding'>

/** How a text file is written: its columns' names and what separates them. Structure, and public where it is a header. */
export interface Header {
  readonly delimiter: string
  readonly columns: readonly string[]
}

/** The decompressed bytes of a file, in UTF-8 where the policy says how it is written. Aborted, it fails. */
export function bytesOf(file: TextFile, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  const bytes = createReadStream(file.real, { highWaterMark: 1 << 20, signal })
  const plain = isCompressed(file) ? pipeline(bytes, createGunzip(), () => undefined) : bytes
  return file.encoding ? converted(plain, file.encoding) : plain
}

async function* converted(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncIterable<Uint8Array> {
  for await (const piece of bytes) yield toUtf8(piece, encoding)
}

export const isCompressed = ({ path }: TextFile): boolean => /\.gz$/i.test(path)

const delimiters = [',', ';', '\t', '|']
const longestHeader = 1 << 20

async function beginning(file: TextFile): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytesOf(file)) {
    pieces.push(piece)
    size += piece.length
    if (size >= longestHeader) break
  }
  return Buffer.concat(pieces)
}

/** The fields of the first record; undefined when its quotes are not in order. */
export function firstRecord(text: string, delimiter: string): string[] | undefined {
  const fields: string[] = []
  let at = 0
  for (;;) {
    let field: string
    if (text[at] === '"') {
      const match = /"((?:[^"]|"")*)"/y
      match.lastIndex = at
      const quoted = match.exec(text)
      if (!quoted) return undefined
      field = quoted[1]!.replaceAll('""', '"')
      at += quoted[0].length
    } else {
      const start = at
      while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
      field = text.slice(start, at)
    }
    fields.push(field)
    if (text[at] !== delimiter) return at >= text.length || text[at] === '\n' || text[at] === '\r' ? fields : undefined
    at++
  }
}

/**
 * Reads the header of a text file. The separator is the one that gives the header the most columns (the comma first); a
 * .tsv file has tabs. Records are never looked at: no sniffing.
 */
export async function readHeader(file: TextFile): Promise<Header> {
  const { path } = file
  let bytes: Buffer
  try {
    bytes = await beginning(file)
  } catch {
    throw new OwnersError('a source file cannot be read', undefined, { path })
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new OwnersError('a source file is UTF-16, not UTF-8', 'Save it as UTF-8.', { path })
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '')
    throw new OwnersError('a source file is empty: it does not even have a header', undefined, { path })
  const candidates = /\.tsv(\.gz)?$/i.test(path) ? ['\t'] : delimiters
  const readings = candidates.map((delimiter) => ({ delimiter, columns: firstRecord(text, delimiter) ?? [] }))
  const best = readings.reduce((a, b) => (b.columns.length > a.columns.length ? b : a))
  if (best.columns.length === 0)
    throw new OwnersError('the header of a source file has a stray quote', undefined, { path })
  return best
}
