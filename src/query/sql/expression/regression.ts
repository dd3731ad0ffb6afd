import { negate, one, type Rational, zero } from '../../../numeric/index.ts'
import type { Predicate } from '../condition/predicate.ts'
import { type Rows, sumOver } from '../result/rows.ts'
import type { Expression } from '../statement.ts'
import { type JointMoment, type Moment, type Summand, squared } from './moment.ts'
import { constant, difference, product, quotient, sum } from './quantity.ts'
import { known } from './ratios.ts'
import { spreadIn } from './summand.ts'

/** What lines through pairs of numbers are made of; y is the one that depends. */
interface Pairs {
  readonly n: Expression
  /** Less their centres. */
  readonly totals: { readonly x: Expression; readonly y: Expression }
  readonly centres: { readonly x: Rational; readonly y: Rational }
  /** Σ(x - x̄)², Σ(x - x̄)(y - ȳ), Σ(y - ȳ)². */
  readonly xx: Expression
  readonly xy: Expression
  readonly yy: () => Expression
}

/** Over the records where neither is NULL. */
function pairsOf(rows: Rows, x: Summand, y: Summand, filter: Predicate): Pairs {
  const found = known(rows, filter, x, y)
  const [a, b] = [spreadIn(rows, found, x, 2), spreadIn(rows, found, y, 2)]
  const ask = (...moments: (Moment | JointMoment)[]) => rows.parts.lower(sumOver(rows, found, ...moments))
  const n = ask()
  const totals = { x: ask(a.moment), y: ask(b.moment) }
  const about = (of: Expression, left: Expression, right: Expression) =>
    difference(of, quotient(product(left, right), n))
  const square = (moment: Moment | JointMoment, total: Expression): Expression => ({
    kind: 'clip',
    of: about(ask(squared(moment)), total, total),
    low: zero,
    high: null,
  })
  const xx = square(a.moment, totals.x)
  return {
    n,
    totals,
    centres: { x: a.centre, y: b.centre },
    xx,
    xy: x === y ? xx : about(ask(a.moment, b.moment), totals.x, totals.y),
    yy: () => square(b.moment, totals.y),
  }
}

const within = (of: Expression, low: Rational, high: Rational): Expression => ({ kind: 'clip', of, low, high })

/** A function of pairs of numbers, as SQL has it: y before x. */
type OfPairs = (rows: Rows, y: Summand, x: Summand, filter: Predicate) => Expression

const correlationOf = ({ xx, xy, yy }: Pairs): Expression =>
  within(quotient(xy, { kind: 'root', of: product(xx, yy()) }), negate(one), one)

/** From -1 to 1. */
export const correlation: OfPairs = (rows, y, x, filter) => correlationOf(pairsOf(rows, x, y, filter))

/** The share of y's variance that the line explains. */
export const determination: OfPairs = (rows, y, x, filter) => {
  const r = correlationOf(pairsOf(rows, x, y, filter))
  return product(r, r)
}

/** By how much y rises with x on the line that fits best. */
export const slope: OfPairs = (rows, y, x, filter) => {
  const { xx, xy } = pairsOf(rows, x, y, filter)
  return quotient(xy, xx)
}

/** Where that line has x = 0. */
export const intercept: OfPairs = (rows, y, x, filter) => {
  const { n, totals, centres, xx, xy } = pairsOf(rows, x, y, filter)
  const mean = (of: 'x' | 'y') => sum(constant(centres[of]), quotient(totals[of], n))
  return difference(mean('y'), product(quotient(xy, xx), mean('x')))
}
