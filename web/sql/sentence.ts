import { type Attribute, isOrdered, listed, literal, quotedName } from './attribute.ts'

/** A question in the words of people who do not write SQL. */
export interface Sentence {
  readonly measure: Measure
  /** What is averaged, added up or has a median; none for a count. */
  readonly of?: string
  readonly where: readonly Condition[]
  readonly by: readonly string[]
}
export type Measure = 'count' | 'average' | 'sum' | 'median'
export type Comparison = 'is' | 'is not' | 'at least' | 'at most'
export interface Condition {
  readonly attribute: string
  readonly comparison: Comparison
  readonly value: string
}

export const measures: Record<Measure, { readonly words: string; readonly sql: string }> = {
  count: { words: 'How many records', sql: 'COUNT' },
  average: { words: 'The average of', sql: 'AVG' },
  median: { words: 'The median of', sql: 'MEDIAN' },
  sum: { words: 'The sum of', sql: 'SUM' },
}
export const comparisons: Record<Comparison, string> = { is: '=', 'is not': '<>', 'at least': '>=', 'at most': '<=' }

/** What can be compared with a value of this attribute. */
export const comparisonsOf = (a: Attribute): Comparison[] =>
  isOrdered(a) ? ['at least', 'at most', 'is'] : a.kind === 'boolean' ? ['is'] : ['is', 'is not']

/** A first condition on an attribute, to be changed: its first value, or the middle of its range. */
export function conditionOn(a: Attribute): Condition {
  const value = a.kind === 'boolean' ? 'true' : isOrdered(a) ? middleOf(a) : (listed(a)[0] ?? '')
  return { attribute: a.name, comparison: comparisonsOf(a)[0]!, value }
}

/** A bound that can be asked about: the middle of whole numbers, else the beginning. */
function middleOf({ kind, low = '0', high = '0' }: Attribute): string {
  return kind === 'integer' ? String(Math.round((Number(low) + Number(high)) / 2)) : low
}

/** The statement that asks it. */
export function sqlOf({ measure, of, where, by }: Sentence, table: string, attributes: readonly Attribute[]): string {
  const keys = by.map(quotedName)
  const value = measure === 'count' ? 'COUNT(*)' : `${measures[measure].sql}(${quotedName(of ?? '')})`
  const conditions = where.map(({ attribute, comparison, value: bound }) => {
    const about = attributes.find((a) => a.name === attribute)
    return `${quotedName(attribute)} ${comparisons[comparison]} ${about ? literal(about, bound) : bound}`
  })
  return [
    `SELECT ${[...keys, value].join(', ')} FROM ${quotedName(table)}`,
    conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '',
    keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join(' ')
}
