import type { Curve, PlanRequest } from '../../src/client/index.ts'
import { niceWidth } from '../parts/number.ts'

/** What stands in the address: the statement, and how precise the answer is to be or what it may cost. */
export interface Question {
  readonly sql: string
  /** Half the width of the interval; undefined: whatever suits. */
  readonly within?: number
  /** Instead of a precision: the price. */
  readonly epsilon?: number
  readonly confidence: number
}

const positive = (text: string | undefined): number | undefined => {
  const value = Number(text)
  return Number.isFinite(value) && value > 0 ? value : undefined
}

/** What a statement measures, in few letters: count, avg(age). Empty while it is not written to its end. */
export function measureOf(sql: string): string {
  const calls = sql.matchAll(
    /\b(count|sum|avg|median|mode|min|max|stddev\w*|var\w*|covar\w*|corr|regr_\w+|percentile_\w+|quantile_\w+)\s*\(((?:[^()]|\([^()]*\))*)\)/gi,
  )
  const names = [...calls].map(([, name, of]) => {
    const called = name!.toLowerCase()
    return called === 'count' ? called : `${called}(${of!.toLowerCase().replaceAll(/\s+/g, '')})`
  })
  // A share is another scale than its counts.
  return [...new Set(names), ...(names.length > 1 && sql.includes('/') ? ['/'] : [])].sort().join(' ')
}

/** The question after a change. A half-width is meant for what was measured when it was chosen: of something else another one suits. */
export function changed(now: Question, part: Partial<Question>, meant: string): Question {
  const next = { ...now, ...part }
  const measure = measureOf(next.sql)
  const isOther = part.within === undefined && meant !== '' && measure !== '' && measure !== meant
  return isOther ? { ...next, within: undefined } : next
}

/** Reads ?q=…&within=150&confidence=0.9; what makes no sense is left out. */
export function questionOf(parameters: { readonly [name: string]: string }): Question {
  const { q = '', within, epsilon, confidence } = parameters
  const sure = positive(confidence)
  const width = positive(within)
  const price = positive(epsilon)
  return {
    sql: q,
    ...(width !== undefined && { within: width }),
    ...(width === undefined && price !== undefined && { epsilon: price }),
    confidence: sure !== undefined && sure < 1 ? sure : 0.95,
  }
}

/** The inverse. */
export const parametersOf = ({ sql, within, epsilon, confidence }: Question) => ({
  q: sql === '' ? undefined : sql,
  within: within === undefined ? undefined : String(within),
  epsilon: epsilon === undefined ? undefined : String(epsilon),
  confidence: confidence === 0.95 ? undefined : String(confidence),
})

/** The request for a plan; undefined while it is not known how precise the answer should be. */
export function planRequest(
  { sql, within, epsilon, confidence }: Question,
  as: string | undefined,
): PlanRequest | undefined {
  const wanted = epsilon !== undefined ? { epsilon } : within !== undefined ? { within } : undefined
  return wanted && { sql, confidence, ...wanted, ...(as !== undefined && { as }) }
}

/** Whether a curve still says something while the one for this statement is computed: only if it is of the same measure. */
export function suits({ query }: Pick<Curve, 'query'>, sql: string): boolean {
  const measure = measureOf(sql)
  return measure === '' || measure === measureOf(query)
}

/** Of the budget, for a first price where nothing is free. */
const modestShare = 0.02

/** What to begin with: the precision that is free, else what a fiftieth of the budget buys, or just that price. */
export function modestWish(curve: Curve, cap: number): Pick<Question, 'within' | 'epsilon'> {
  const within = modestWithin(curve, cap)
  return within === undefined ? { epsilon: niceWidth(modestShare * cap) } : { within }
}

/** Undefined where the price does not tell precisions apart: a first look at the data decides it. */
function modestWithin({ points, freeWithin }: Curve, cap: number): number | undefined {
  if (freeWithin !== null) return roundedUp(freeWithin)
  const prices = points.map((p) => p.epsilon)
  if (Math.max(...prices) < 1.01 * Math.min(...prices)) return undefined
  const distance = (epsilon: number) => Math.abs(Math.log(epsilon / (modestShare * cap)))
  const [best] = points
    .filter((p) => p.affordable && p.epsilon > 0)
    .sort((a, b) => distance(a.epsilon) - distance(b.epsilon))
  const { within } = best ?? points.at(-1)!
  return niceWidth(within)
}

/** To two digits, never below: what is free stays free. */
function roundedUp(width: number): number {
  const nice = niceWidth(width)
  return nice >= width ? nice : niceWidth(1.06 * width)
}
