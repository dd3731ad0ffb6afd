import { add, divide, multiply, negate, one, type Rational, toText, zero } from '../../../numeric/index.ts'
import { combine } from '../../combine.ts'
import { canonicalJson, queryKey } from '../../json.ts'
import type { LinearQuery } from '../../linear-query.ts'
import type { Expression, Quantile } from '../statement.ts'

/**
 * A number made of aggregates while a statement is read: constant + Σ times·query + rest. What is linear is kept
 * apart, so that it can be bought as one query; the rest (ratios, products, roots) is arithmetic over parts.
 */
export interface Quantity {
  readonly constant: Rational
  readonly linear: readonly { readonly query: LinearQuery; readonly times: Rational }[]
  readonly rest?: Expression
}

export const constantQuantity = (constant: Rational): Quantity => ({ constant, linear: [] })
export const linearQuantity = (query: LinearQuery): Quantity => ({
  constant: zero,
  linear: query.terms.length > 0 ? [{ query, times: one }] : [],
})
export const restQuantity = (rest: Expression): Quantity => ({ constant: zero, linear: [], rest })

export const isConstant = (q: Quantity): boolean => q.linear.length === 0 && q.rest === undefined

export function plus(a: Quantity, b: Quantity): Quantity {
  const rest = a.rest && b.rest ? sum(a.rest, b.rest) : (a.rest ?? b.rest)
  return { constant: add(a.constant, b.constant), linear: [...a.linear, ...b.linear], ...(rest && { rest }) }
}

export function scaled(a: Quantity, times: Rational): Quantity {
  return {
    constant: multiply(a.constant, times),
    linear: a.linear.map((item) => ({ ...item, times: multiply(item.times, times) })),
    ...(a.rest && { rest: product(constant(times), a.rest) }),
  }
}

export const minus = (a: Quantity, b: Quantity): Quantity => plus(a, scaled(b, negate(one)))

export const constant = (value: Rational): Expression => ({ kind: 'constant', value })
const valueIn = (e: Expression): Rational | undefined => (e.kind === 'constant' ? e.value : undefined)
const is = (e: Expression, n: bigint) => valueIn(e)?.num === n && valueIn(e)?.den === 1n
const isZero = (e: Expression) => is(e, 0n)
const isOne = (e: Expression) => is(e, 1n)

export const sum = (left: Expression, right: Expression): Expression =>
  isZero(left) ? right : isZero(right) ? left : { kind: 'sum', left, right }
export const difference = (left: Expression, right: Expression): Expression =>
  isZero(right) ? left : { kind: 'difference', left, right }
export const product = (left: Expression, right: Expression): Expression =>
  isOne(left) ? right : isOne(right) ? left : { kind: 'product', left, right }
export const quotient = (left: Expression, right: Expression): Expression => ({ kind: 'quotient', left, right })

/** The distinct queries of a statement, numbered as they are first needed. A multiple of one is not another. */
export class Parts {
  readonly queries: LinearQuery[] = []
  readonly quantiles: Quantile[] = []
  readonly #known = new Map<string, { readonly part: number; readonly unit: Rational }>()

  /** The answer of a query; a query without terms is 0 and need not be asked. */
  part(query: LinearQuery): Expression {
    const [first] = query.terms
    if (!first) return constant(zero)
    // Terms up to their sign, and the unit that the answer comes in.
    const sign = first.coefficient < 0 ? -1 : 1
    const terms = query.terms.map((t) => ({ ...t, coefficient: sign * t.coefficient }))
    const unit = sign < 0 ? negate(query.step) : query.step
    const key = canonicalJson(terms)
    let known = this.#known.get(key)
    if (!known) {
      known = { part: this.queries.push(query) - 1, unit }
      this.#known.set(key, known)
    }
    return product(constant(divide(unit, known.unit)), { kind: 'part', part: known.part })
  }

  quantile(wanted: Quantile): Expression {
    const key = quantileKey(wanted)
    const known = this.quantiles.findIndex((q) => quantileKey(q) === key)
    return { kind: 'quantile', quantile: known < 0 ? this.quantiles.push(wanted) - 1 : known }
  }

  /** Arithmetic over parts; all that is linear becomes one part, times a constant, plus a constant. */
  lower(q: Quantity): Expression {
    const linear = merged(q.linear)
    const [first, second] = linear
    const bought = second
      ? this.part(combine(linear))
      : first
        ? product(constant(first.times), this.part(first.query))
        : constant(zero)
    return [bought, q.rest, constant(q.constant)].filter((e) => e !== undefined).reduce(sum)
  }
}

const quantileKey = ({ attribute, share, kind, upper, records }: Quantile): string =>
  [attribute, toText(share), kind, upper, queryKey(records)].join()

/** Equal queries added up, in an order that does not depend on how they were written. */
function merged(items: Quantity['linear']): Quantity['linear'] {
  const byText = new Map<string, { query: LinearQuery; times: Rational }>()
  for (const { query, times } of items) {
    const key = queryKey(query)
    byText.set(key, { query, times: add(byText.get(key)?.times ?? zero, times) })
  }
  return [...byText.entries()]
    .filter(([, { times }]) => times.num !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item)
}
