/** One page of a statement's result, as far as we look at it. */
export interface Page {
  /** Where the next page is; undefined on the last one. */
  readonly nextUri?: string
  readonly columns?: readonly ResultColumn[]
  readonly data?: readonly (readonly unknown[])[]
  /** FINISHED on the last page of a whole result. */
  readonly stats?: { readonly state?: string }
  readonly error?: { readonly errorCode: number; readonly errorName: string; readonly errorType: string }
}

export interface ResultColumn {
  readonly name: string
  readonly type: string
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown

/** Whole numbers that a double does not hold become BigInts, from the digits that were sent. */
const exact: Reviver = (_, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source!) ? BigInt(source!) : value

const longNumber = /\d{16}/

/** A page from its text; undefined where it is none. */
export function parsePage(text: string): Page | undefined {
  try {
    // Looking at every value takes its time, and most pages have no such number.
    const page: unknown = longNumber.test(text)
      ? JSON.parse(text, exact as Parameters<typeof JSON.parse>[1])
      : JSON.parse(text)
    return isPage(page) ? page : undefined
  } catch {
    return undefined
  }
}

const isPage = (value: unknown): value is Page => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { nextUri, columns, data, stats, error } = value as Record<string, unknown>
  return (
    (nextUri === undefined || typeof nextUri === 'string') &&
    [columns, data].every((list) => list === undefined || Array.isArray(list)) &&
    [stats, error].every((part) => part === undefined || (typeof part === 'object' && part !== null))
  )
}

const integerType = /^(tinyint|smallint|integer|bigint)$/
const wholeDecimal = /^decimal\(\d+, ?0\)$/

/** How values of a type are read: doubles are numbers, also where JSON has a text for them; decimals without a fraction are BigInts. */
export function reading(type: string): (value: unknown) => unknown {
  if (integerType.test(type)) return (value) => value
  if (type === 'double' || type === 'real') return (value) => (value === null ? null : Number(value))
  if (wholeDecimal.test(type)) return (value) => (value === null ? null : BigInt(String(value)))
  return (value) => value
}
