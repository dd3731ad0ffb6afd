import type { Source } from '../../../schema/index.ts'

/** How text files are written, where it is not UTF-8: one byte a character, and the first 128 as in ASCII. */
export type Encoding = NonNullable<Extract<Source, { kind: 'duckdb' }>['encoding']>

/** What Windows-1252 has where Latin-1 has control characters, 0x80 … 0x9f; five places are empty there too. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const windowsCharacter = (latin: string) => windows[latin.charCodeAt(0) - 0x80]!

/** The same text in UTF-8. Every byte is some character, so no file is too strange to be read. */
export function toUtf8(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  return Buffer.from(encoding === 'latin-1' ? text : text.replaceAll(/[\x80-\x9f]/g, windowsCharacter), 'utf8')
}
