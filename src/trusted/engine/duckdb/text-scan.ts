import { isUtf8 } from 'node:buffer'
import type { FileReport } from '../sql/index.ts'
import { bytesOf, type Header, type TextFile } from './text-header.ts'
import { longestRecord } from './views.ts'

/** How a text file is written, line by line. */
type TextReport = Omit<FileReport, 'path' | 'columns' | 'duplicates' | 'wellFormed'>

export const isWellFormed = (r: TextReport): boolean =>
  r.ragged === 0 &&
  r.badQuote === undefined &&
  r.notUtf8 === undefined &&
  r.tooLong === undefined &&
  r.mixedEnds === undefined

const [lineFeed, carriageReturn, space, quote] = [10, 13, 32, 34]
/**
 * Where the scanner is: at the start of a field, in one, in a quoted one, behind a quote inside a quoted one, or behind
 * spaces alone.
 */
const [start, plain, quoted, closing, blank] = [0, 1, 2, 3, 4]

/**
 * Reads a whole text file as RFC 4180 says, with LF and CRLF or with CR alone, and reports what is wrong with it. An empty
 * line is no record, unless there is one column only. DuckDB reads the same bytes for answers; its count must agree
 * (verify.ts). It loses a byte behind a CR alone among other line ends, so such a file is not in order.
 */
export async function scanText(
  file: TextFile,
  { delimiter, columns }: Header,
  signal?: AbortSignal,
): Promise<TextReport> {
  const separator = delimiter.charCodeAt(0)
  const utf8 = new Utf8Check()
  let state = start
  let line = 1
  let recordLine = 1
  let fields = 1
  let length = 0
  let afterReturn = false
  let records = -1
  let ragged = 0
  let firstRagged: number | undefined
  let badQuote: number | undefined
  let tooLong: number | undefined
  /** Behind a CR that ended a record: alone, unless an LF follows. */
  let openReturn = false
  /** How the first record ended. */
  let ends: 'alone' | 'feed' | undefined
  let mixedEnds: number | undefined

  const endLine = (how: 'alone' | 'feed') => {
    ends ??= how
    if (ends !== how) mixedEnds ??= line - 1
    openReturn = false
  }
  const endRecord = () => {
    if (length > longestRecord) tooLong ??= recordLine
    if (length > 0 || columns.length === 1) {
      if (fields !== columns.length) {
        ragged++
        firstRagged ??= recordLine
      }
      records++
    }
    state = start
    fields = 1
    length = 0
  }

  let first = true
  for await (const piece of bytesOf(file, signal)) {
    utf8.add(piece, line)
    let i = first && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf ? 3 : 0
    first = false
    for (; i < piece.length; i++) {
      const byte = piece[i]!
      if (openReturn && byte !== lineFeed) endLine('alone')
      const newline = byte === carriageReturn || (byte === lineFeed && !afterReturn)
      const rest = byte === lineFeed && afterReturn
      afterReturn = byte === carriageReturn
      if (newline) line++
      if (state === quoted) {
        length++
        if (byte === quote) state = closing
        continue
      }
      if (rest) {
        endLine('feed')
        recordLine = line
        continue
      }
      if (newline) {
        endRecord()
        recordLine = line
        if (byte === lineFeed) endLine('feed')
        else openReturn = true
        continue
      }
      length++
      if (byte === separator) {
        fields++
        state = start
      } else if (byte === quote && state === start) state = quoted
      else if (byte === quote && state === closing) state = quoted
      else if (byte === space && (state === start || state === blank)) state = blank
      else {
        if (state === closing || (state === blank && byte === quote)) badQuote ??= line
        state = plain
      }
    }
  }
  if (openReturn) endLine('alone')
  if (state === quoted) badQuote ??= recordLine
  if (length > 0) endRecord()
  return {
    records: Math.max(records, 0),
    ragged,
    firstRagged,
    badQuote,
    notUtf8: utf8.finish(line),
    tooLong,
    mixedEnds,
  }
}

/** Checks text that comes in pieces: a character may be split between two. */
class Utf8Check {
  private found: TextReport['notUtf8']
  private rest: Uint8Array = new Uint8Array(0)

  add(piece: Uint8Array, line: number): void {
    if (this.found) return
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, piece]) : piece
    const whole = bytes.subarray(0, bytes.length - incomplete(bytes))
    if (isUtf8(whole)) {
      this.rest = bytes.slice(whole.length)
      return
    }
    // The line of the first bad byte: what precedes it is valid, so halve.
    let [good, bad] = [0, whole.length]
    while (bad - good > 1) {
      const middle = (good + bad) >> 1
      const head = whole.subarray(0, middle)
      if (isUtf8(head.subarray(0, head.length - incomplete(head)))) good = middle
      else bad = middle
    }
    const before = Buffer.from(whole.subarray(0, good)).toString('latin1')
    this.found = { line: line + (before.match(/\r\n|\n|\r/g)?.length ?? 0), suspected: suspect(whole) }
  }

  finish(line: number): TextReport['notUtf8'] {
    if (!this.found && this.rest.length > 0) this.found = { line, suspected: 'UTF-8 that is cut off' }
    return this.found
  }
}

/** Bytes at the end that begin a character and do not finish it. */
function incomplete(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if ((byte & 0xc0) === 0x80) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? back : 0
  }
  return 0
}

function suspect(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return 'UTF-16'
  const sample = bytes.subarray(0, 1 << 16)
  if (sample.filter((b) => b === 0).length > sample.length / 4) return 'UTF-16'
  return sample.some((b) => b >= 0x80 && b <= 0x9f) ? 'Windows-1252' : 'Latin-1 or Windows-1252'
}
