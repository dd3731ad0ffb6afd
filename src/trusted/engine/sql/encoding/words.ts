/** A text as an SQL literal. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** A name as an SQL identifier. */
export const name = (text: string): string => `"${text.replaceAll('"', '""')}"`
export const cast = (value: string, type: string): string => `CAST(${value} AS ${type})`
export const double = (value: string): string => cast(value, 'DOUBLE PRECISION')

/** PostgreSQL takes 100 arguments, Trino 127. */
const mostArguments = 90

/** Texts one after the other, with what is written between them: in several calls where they are many, which gives the same text. */
export function joined(texts: readonly string[], between = ''): string {
  if (texts.length === 1) return texts[0]!
  const call = (some: readonly string[]) =>
    between === '' ? `concat(${some.join(', ')})` : `concat_ws(${quote(between)}, ${some.join(', ')})`
  if (texts.length <= mostArguments) return call(texts)
  const calls = Math.ceil(texts.length / mostArguments)
  const size = Math.ceil(texts.length / calls)
  const parts = Array.from({ length: calls }, (_, i) => texts.slice(i * size, (i + 1) * size))
  return joined(
    parts.filter((part) => part.length > 0).map((part) => joined(part, between)),
    between,
  )
}
