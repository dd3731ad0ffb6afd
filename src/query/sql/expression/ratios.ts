import { divide, multiply, negate, one, type Rational, rational, subtract, zero } from '../../../numeric/index.ts'
import type { Box } from '../condition/boxes.ts'
import { anything } from '../condition/condition.ts'
import { and, type Predicate } from '../condition/predicate.ts'
import { cells, type Rows, sumOver } from '../result/rows.ts'
import type { Expression } from '../statement.ts'
import { isComputed, type JointMoment, type Moment, type Summand, squared } from './moment.ts'
import { constant, difference, product, quotient, sum } from './quantity.ts'
import { attributeScalar } from './scalar.ts'
import { spreadIn } from './summand.ts'

/** centre + Σ(x - centre) / n. */
export function average(rows: Rows, attribute: Summand, filter: Predicate): Expression {
  const found = known(rows, filter, attribute)
  const { low, high, centre, moment } = spreadIn(rows, found, attribute, 1)
  const total = rows.parts.lower(sumOver(rows, found, moment))
  const mean = quotient(total, rows.parts.lower(sumOver(rows, found)))
  return { kind: 'clip', of: sum(constant(centre), mean), low, high }
}

/** Of all records there are, or of a sample of more: then the divisor is n - 1. */
export type Of = 'population' | 'sample'
const divisor = (n: Expression, of: Of): Expression => (of === 'sample' ? difference(n, constant(one)) : n)

/**
 * The most that a variance or covariance of values within these widths can be: a quarter of the product, half of it
 * for a sample (n/(n-1) of that, most at n = 2).
 */
const mostOf = (widths: Rational, of: Of): Rational => divide(widths, rational(of === 'sample' ? 2 : 4))

/** (Σx² - (Σx)²/n) / n or / (n-1), with x less its centre. */
export function variance(rows: Rows, attribute: Summand, filter: Predicate, of: Of): Expression {
  const found = known(rows, filter, attribute)
  const { low, high, moment } = spreadIn(rows, found, attribute, 2)
  const ask = (...moments: (Moment | JointMoment)[]) => rows.parts.lower(sumOver(rows, found, ...moments))
  const total = ask(moment)
  const squares = ask(squared(moment))
  const n = ask()
  const value = quotient(difference(squares, quotient(product(total, total), n)), divisor(n, of))
  const width = subtract(high, low)
  return { kind: 'clip', of: value, low: zero, high: mostOf(multiply(width, width), of) }
}

/** (Σxy - Σx·Σy/n) / n or / (n-1), over the records where neither is NULL. */
export function covariance(rows: Rows, x: Summand, y: Summand, filter: Predicate, of: Of): Expression {
  if (x === y) return variance(rows, x, filter, of)
  const found = known(rows, filter, x, y)
  const [a, b] = [spreadIn(rows, found, x, 2), spreadIn(rows, found, y, 2)]
  const ask = (...moments: (Moment | JointMoment)[]) => rows.parts.lower(sumOver(rows, found, ...moments))
  const both = ask(a.moment, b.moment)
  const products = product(ask(a.moment), ask(b.moment))
  const n = ask()
  const value = quotient(difference(both, quotient(products, n)), divisor(n, of))
  const most = mostOf(multiply(subtract(a.high, a.low), subtract(b.high, b.low)), of)
  return { kind: 'clip', of: value, low: negate(most), high: most }
}

/** The cells of the condition in which these attributes are not NULL. */
export const known = (rows: Rows, filter: Predicate, ...of: Summand[]): Box[] =>
  cells(rows, and(filter, ...of.map((each) => anything(rows, isComputed(each) ? each : attributeScalar(each)))))
