import { type ErrorCode, type Fact, ReticentError } from '../../schema/index.ts'

/** What the front end understands; the hint of a refusal that has no better one. */
export const supported =
  'Supported: SELECT COUNT, SUM, AVG, STDDEV, MEDIAN and the like, with FILTER and + - * /, FROM the dataset ' +
  '[WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …] [LIMIT n]; docs/sql.md has all of it.'

/** The index in the text (UTF-16 units) of a node's location, which counts bytes of UTF-8. */
export const indexOfByte = (text: string, byte: number): number =>
  new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, byte)).length

/** The index of the character with this number, counted from 0 in whole characters. */
export const indexOfCharacter = (text: string, character: number): number =>
  [...text].slice(0, character).join('').length

/** How much of a long line is shown, so that the caret is where it belongs on any terminal. */
const shown = 76

/** The line of the text with a caret below the place. */
function excerpt(text: string, index: number): { line: number; column: number; picture: string } {
  const start = text.lastIndexOf('\n', index - 1) + 1
  const end = text.indexOf('\n', index)
  const before = [...text.slice(start, index)]
  const after = [...text.slice(index, end < 0 ? undefined : end)]
  const room = Math.max(shown / 2, shown - after.length)
  const left = before.length > room ? ['…', ...before.slice(-room)] : before
  const right = left.length + after.length > shown + 1 ? [...after.slice(0, shown - left.length), '…'] : after
  const caret = left.map((c) => (c === '\t' ? '\t' : ' ')).join('')
  return {
    line: text.slice(0, start).split('\n').length,
    column: before.length + 1,
    picture: `${[...left, ...right].join('').trimEnd()}\n${caret}^`,
  }
}

/** An error about one place in the statement: quotes its line, points at it, and gives line and column as facts. */
export function faultAt(
  text: string,
  index: number,
  code: ErrorCode,
  message: string,
  hint: string | undefined = code === 'sql-unsupported' ? supported : undefined,
  facts: { readonly [name: string]: Fact } = {},
): ReticentError {
  const { line, column, picture } = excerpt(text, index)
  const position = [...text.slice(0, index)].length + 1
  return new ReticentError(
    code,
    { position, line, column, ...facts },
    { message, detail: `line ${line}, column ${column}:\n${picture}`, ...(hint && { hint }) },
  )
}
