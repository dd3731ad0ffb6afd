/** A piece of a statement; pieces put together are the statement again. */
export interface Token {
  readonly kind: 'space' | 'comment' | 'string' | 'quoted' | 'number' | 'word' | 'symbol'
  readonly text: string
  readonly start: number
}

const pattern =
  /(?<space>\s+)|(?<comment>--[^\n]*)|(?<string>'(?:[^']|'')*'?)|(?<quoted>"(?:[^"]|"")*"?)|(?<number>\d+(?:\.\d+)?|\.\d+)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<symbol><=|>=|<>|!=|::|\|\||.)/gsu

/** Splits any text, finished or not, into tokens. */
export function tokensOf(sql: string): Token[] {
  return [...sql.matchAll(pattern)].map((match) => {
    const [kind] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!
    return { kind: kind as Token['kind'], text: match[0], start: match.index }
  })
}

/** Only what matters to the grammar. */
export const words = (sql: string): Token[] =>
  tokensOf(sql).filter(({ kind }) => kind !== 'space' && kind !== 'comment')

export const keywords = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'HAVING',
  'ORDER BY',
  'LIMIT',
  'AND',
  'OR',
  'NOT',
  'IN',
  'BETWEEN',
  'LIKE',
  'IS NULL',
  'IS NOT NULL',
  'AS',
  'ASC',
  'DESC',
  'CASE',
  'WHEN',
  'THEN',
  'ELSE',
  'END',
  'FILTER',
  'DATE',
  'TRUE',
  'FALSE',
  'NULL',
]
export const functions = ['COUNT', 'SUM', 'AVG', 'MEDIAN', 'VARIANCE', 'STDDEV', 'COVAR_POP', 'CORR', 'MIN', 'MAX']

const keywordWords = new Set(keywords.flatMap((keyword) => keyword.split(' ')))
export const isKeyword = (text: string): boolean => keywordWords.has(text.toUpperCase())
export const isFunction = (text: string): boolean => functions.includes(text.toUpperCase())

/** The name that a word or a quoted name stands for. */
export const nameOf = ({ kind, text }: Token): string | undefined =>
  kind === 'word'
    ? text.toLowerCase()
    : kind === 'quoted'
      ? text.slice(1, text.endsWith('"') ? -1 : undefined).replaceAll('""', '"')
      : undefined
/** The value that a string stands for. */
export const stringValue = ({ text }: Token): string => text.slice(1, -1).replaceAll("''", "'")
