/** A text as an SQL literal. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** A name as an SQL identifier. */
export const name = (text: string): string => `"${text.replaceAll('"', '""')}"`
/** The smallest unsigned type that holds 0 … size-1. */
export const codeType = (size: number): string =>
  size <= 1 << 8 ? 'UTINYINT' : size <= 1 << 16 ? 'USMALLINT' : 'UINTEGER'
