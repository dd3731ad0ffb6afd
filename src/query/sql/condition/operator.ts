export type Operator = '<' | '<=' | '=' | '<>' | '>=' | '>'
export const operators: readonly string[] = ['<', '<=', '=', '<>', '>=', '>'] satisfies Operator[]

/** a < b is b > a. */
export const mirrored: { readonly [K in Operator]: Operator } = {
  '<': '>',
  '<=': '>=',
  '=': '=',
  '<>': '<>',
  '>=': '<=',
  '>': '<',
}
/** What the order of two values must be. */
export const isInOrder: { readonly [K in Operator]: (order: number) => boolean } = {
  '<': (o) => o < 0,
  '<=': (o) => o <= 0,
  '=': (o) => o === 0,
  '<>': (o) => o !== 0,
  '>=': (o) => o >= 0,
  '>': (o) => o > 0,
}
