import type { Node } from '@pgsql/types'
import { add, multiply, negate, one, type Rational, zero } from '../../../numeric/index.ts'
import { isNumber } from '../../../schema/index.ts'
import { mostPoints, pointsOf } from '../../domain-sql/index.ts'
import type { Box } from '../condition/boxes.ts'
import type { Predicate } from '../condition/predicate.ts'
import { type Rows, sumOver } from '../result/rows.ts'
import { attributeAt, plainName } from '../scope.ts'
import type { Expression } from '../statement.ts'
import { attributesIn } from '../translation/nodes.ts'
import { operand } from './expression.ts'
import { type Factors, factorsOf } from './factors.ts'
import { plainMoment } from './moment.ts'
import { constant, constantQuantity, plus, type Quantity, quotient, restQuantity, scaled, sum } from './quantity.ts'
import { known } from './ratios.ts'
import { noteRounding, spreadIn, summand } from './summand.ts'

/** constant + Σ products of functions of one attribute or a few. */
interface Addends {
  readonly constant: Rational
  readonly of: readonly Factors[]
}

/**
 * x - y + 2·z·w, where all combinations of their values are too many to list: its sum is the sum of each addend's, over the
 * records in which none is NULL. Undefined for anything else.
 */
export function addendsOf(rows: Rows, node: Node): Addends | undefined {
  const attributes = attributesIn(rows, node)
  if (attributes.length < 2 || attributes.reduce((n, a) => n * pointsOf(a), 1) <= mostPoints) return undefined
  const signed = added(node, one)
  // Dates are subtracted too, but are no numbers by themselves.
  if (signed.some(({ node: of }) => 'ColumnRef' in of && !isNumber(attributeAt(rows, of)))) return undefined
  let fixed = zero
  const of: Factors[] = []
  for (const { sign, node: addend } of signed) {
    if (attributesIn(rows, addend).length > 0) {
      const factors = factorsOf(rows, addend) ?? { times: one, of: [summand(rows, addend)] }
      of.push({ ...factors, times: multiply(sign, factors.times) })
      continue
    }
    const value = operand(rows, addend)
    if (value.kind !== 'constant' || value.type !== 'number') return undefined
    fixed = add(fixed, multiply(sign, value.value))
  }
  return { constant: fixed, of }
}

function added(node: Node, sign: Rational): readonly { readonly sign: Rational; readonly node: Node }[] {
  if (!('A_Expr' in node) || node.A_Expr.kind !== 'AEXPR_OP') return [{ sign, node }]
  const { lexpr, rexpr } = node.A_Expr
  const operator = plainName(node.A_Expr.name)
  if (!rexpr || (operator !== '+' && operator !== '-')) return [{ sign, node }]
  const left = lexpr ? added(lexpr, sign) : []
  return [...left, ...added(rexpr, operator === '-' ? negate(sign) : sign)]
}

const recordsOf = (rows: Rows, { of }: Addends, filter: Predicate): Box[] =>
  known(rows, filter, ...of.flatMap((factors) => factors.of))

export function sumOfAddends(rows: Rows, addends: Addends, filter: Predicate): Quantity {
  const found = recordsOf(rows, addends, filter)
  return addends.of
    .map(({ times, of }) => {
      for (const each of of) noteRounding(rows, each, 1)
      return scaled(sumOver(rows, found, ...of.map(plainMoment)), times)
    })
    .reduce(plus, scaled(sumOver(rows, found), addends.constant))
}

/** Each addend that is one function is centred at its middle, as an average of it alone is. */
export function averageOfAddends(rows: Rows, addends: Addends, filter: Predicate): Quantity {
  const found = recordsOf(rows, addends, filter)
  let total = constantQuantity(zero)
  let [low, high, centre] = [addends.constant, addends.constant, addends.constant]
  let isBounded = true
  for (const { times, of } of addends.of) {
    const [only, ...others] = of
    if (others.length > 0) {
      for (const each of of) noteRounding(rows, each, 1)
      total = plus(total, scaled(sumOver(rows, found, ...of.map(plainMoment)), times))
      isBounded = false
      continue
    }
    const spread = spreadIn(rows, found, only!, 1)
    const ends = [multiply(times, spread.low), multiply(times, spread.high)] as const
    const isRising = times.num > 0n
    low = add(low, isRising ? ends[0] : ends[1])
    high = add(high, isRising ? ends[1] : ends[0])
    centre = add(centre, multiply(times, spread.centre))
    total = plus(total, scaled(sumOver(rows, found, spread.moment), times))
  }
  const mean = quotient(rows.parts.lower(total), rows.parts.lower(sumOver(rows, found)))
  const value: Expression = sum(constant(centre), mean)
  return restQuantity(isBounded ? { kind: 'clip', of: value, low, high } : value)
}
