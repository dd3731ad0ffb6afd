/**
 * What JSON.stringify makes of a value, piece by piece: a table of a million groups is longer than a string may be. Only
 * containers of containers are taken apart.
 */
export function* jsonPieces(value: unknown): Iterable<string> {
  const plain = toJson(value)
  if (!isContainer(plain) || !Object.values(plain).some(isContainer)) yield JSON.stringify(plain) ?? 'null'
  else if (Array.isArray(plain)) yield* arrayPieces(plain)
  else yield* objectPieces(plain)
}

function* arrayPieces(items: readonly unknown[]): Iterable<string> {
  let before = '['
  for (const item of items) {
    yield before
    yield* jsonPieces(isPrinted(item) ? item : null)
    before = ','
  }
  yield ']'
}

function* objectPieces(object: object): Iterable<string> {
  let before = '{'
  for (const [name, value] of Object.entries(object)) {
    if (!isPrinted(value)) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* jsonPieces(value)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const isPrinted = (value: unknown): boolean => !['undefined', 'function', 'symbol'].includes(typeof value)
const toJson = (value: unknown): unknown =>
  isContainer(value) && 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value
