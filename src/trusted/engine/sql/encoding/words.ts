/** A text as an SQL literal. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** A name as an SQL identifier. */
export const name = (text: string): string => `"${text.replaceAll('"', '""')}"`
export const cast = (value: string, type: string): string => `CAST(${value} AS ${type})`
export const double = (value: string): string => cast(value, 'DOUBLE PRECISION')
