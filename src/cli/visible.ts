/**
 * Characters that a terminal obeys or that change the order of what is read: controls (C0, DEL, C1), marks and overrides of
 * direction, line and paragraph separators, and halves of a pair.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

const hex = (character: string, digits: number) => character.charCodeAt(0).toString(16).padStart(digits, '0')

/**
 * Text as it may be shown to a person, whoever wrote it: `\x1b[2J` in somebody's SQL is printed with a backslash, and does
 * not clear the screen. Line ends and tabs stay.
 */
export const visible = (text: string): string =>
  text.replace(hidden, (c) => (c < '\u0100' ? `\\x${hex(c, 2)}` : `\\u${hex(c, 4)}`))

/** The same on one line, for a cell of a table. */
export const visibleCell = (text: string): string =>
  visible(text).replace(/[\n\t]/g, (c) => (c === '\n' ? '\\n' : '\\t'))

/** JSON with those characters escaped that it would leave as they are. They stand in strings alone. */
export const visibleJson = (json: string): string => json.replace(hidden, (c) => `\\u${hex(c, 4)}`)
