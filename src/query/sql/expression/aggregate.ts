import type { FuncCall, Node } from '@pgsql/types'
import { compare, type Rational, zero } from '../../../numeric/index.ts'
import { type Branch, branches } from '../condition/branches.ts'
import { anything, condition } from '../condition/condition.ts'
import { always, and, is, or, type Predicate } from '../condition/predicate.ts'
import { cells, countRows, type Rows, sumOver } from '../result/rows.ts'
import { plainName, unsupported } from '../scope.ts'
import type { Expression } from '../statement.ts'
import { addendsOf, averageOfAddends, sumOfAddends } from './addends.ts'
import { operand } from './expression.ts'
import { factorsOf } from './factors.ts'
import type { aggregateNames } from './functions.ts'
import { isComputed, plainMoment, type Summand } from './moment.ts'
import { isQuantile, quantile } from './quantile.ts'
import { constantQuantity, plus, type Quantity, quotient, restQuantity, scaled } from './quantity.ts'
import { average, covariance, type Of, variance } from './ratios.ts'
import { correlation, determination, intercept, slope } from './regression.ts'
import { attributeScalar } from './scalar.ts'
import { noteRounding, summand } from './summand.ts'

type Aggregate = (rows: Rows, args: readonly [Node, Node], filter: Predicate) => Quantity

const varianceOf =
  (of: Of): Aggregate =>
  (rows, [x], filter) =>
    restQuantity(variance(rows, summand(rows, x), filter, of))
const deviationOf =
  (of: Of): Aggregate =>
  (rows, [x], filter) =>
    restQuantity({ kind: 'root', of: variance(rows, summand(rows, x), filter, of) })
const covarianceOf =
  (of: Of): Aggregate =>
  (rows, [x, y], filter) =>
    restQuantity(covariance(rows, summand(rows, x), summand(rows, y), filter, of))

const ofPairs =
  (of: typeof correlation): Aggregate =>
  (rows, [y, x], filter) =>
    restQuantity(of(rows, summand(rows, y), summand(rows, x), filter))

const aggregates: { readonly [K in (typeof aggregateNames)[number]]: Aggregate } = {
  count: countOf,
  sum: sumOf,
  avg: averageOf,
  variance: varianceOf('sample'),
  var_samp: varianceOf('sample'),
  var_pop: varianceOf('population'),
  stddev: deviationOf('sample'),
  stddev_samp: deviationOf('sample'),
  stddev_pop: deviationOf('population'),
  covar_pop: covarianceOf('population'),
  covar_samp: covarianceOf('sample'),
  corr: ofPairs(correlation),
  regr_slope: ofPairs(slope),
  regr_intercept: ofPairs(intercept),
  regr_r2: ofPairs(determination),
}

export const isAggregate = (f: FuncCall): boolean =>
  Object.hasOwn(aggregates, plainName(f.funcname)) || isQuantile(plainName(f.funcname))

/** An aggregate over the rows that its FILTER leaves. */
export function aggregate(rows: Rows, node: Node, f: FuncCall): Quantity {
  const name = plainName(f.funcname)
  const filter = and(rows.where, f.agg_filter ? condition(rows, f.agg_filter) : always)
  if (isQuantile(name)) return quantile(rows, node, f, filter)
  if (f.agg_star) {
    if (name !== 'count') throw unsupported(rows, node, `${name}(*) does not exist`)
    return countRows(rows, filter)
  }
  const wanted = /^(covar|corr|regr)/.test(name) ? 2 : 1
  if (f.args?.length !== wanted)
    throw unsupported(
      rows,
      node,
      `${name} takes ${wanted} argument${wanted > 1 ? 's' : ''}`,
      name === 'count' ? 'Write COUNT(*), or COUNT(x) for what is not NULL.' : undefined,
    )
  return aggregates[name as keyof typeof aggregates](rows, f.args as [Node, Node], filter)
}

/** COUNT(x) counts what is not NULL. */
function countOf(rows: Rows, [argument]: readonly Node[], filter: Predicate): Quantity {
  const cases = branches(rows, argument!)
  if (cases) {
    const counted = cases.flatMap(({ where, value }) => {
      if (value === null) return []
      const notNull = 'num' in value ? always : anything(rows, isComputed(value) ? value : attributeScalar(value))
      return [and(is(true, where), notNull)]
    })
    return countRows(rows, and(filter, or(...counted)))
  }
  const of = operand(rows, argument!, true)
  if (of.kind === 'constant') return of.type === 'null' ? constantQuantity(zero) : countRows(rows, filter)
  return countRows(rows, and(filter, anything(rows, of)))
}

/** SUM of no rows is NULL in SQL and 0 here: whether there are rows is not known. */
function sumOf(rows: Rows, [argument]: readonly Node[], filter: Predicate): Quantity {
  const cases = branches(rows, argument!)
  if (!cases) {
    const addends = addendsOf(rows, argument!)
    if (addends) return sumOfAddends(rows, addends, filter)
    return sumOfProduct(rows, argument!, filter) ?? sumOfValue(rows, filter, summand(rows, argument!))
  }
  return cases.map((branch) => sumOfBranch(rows, filter, branch)).reduce(plus, constantQuantity(zero))
}

function sumOfValue(rows: Rows, filter: Predicate, of: Summand): Quantity {
  noteRounding(rows, of, 1)
  return sumOver(rows, cells(rows, filter), plainMoment(of))
}

function sumOfProduct(rows: Rows, node: Node, filter: Predicate): Quantity | undefined {
  const factors = factorsOf(rows, node)
  if (!factors) return undefined
  for (const of of factors.of) noteRounding(rows, of, 1)
  return scaled(sumOver(rows, cells(rows, filter), ...factors.of.map(plainMoment)), factors.times)
}

function sumOfBranch(rows: Rows, filter: Predicate, { where, value }: Branch): Quantity {
  if (value === null) return constantQuantity(zero)
  const taken = and(filter, where)
  if (!('num' in value)) return sumOfValue(rows, taken, value)
  return value.num === 0n ? constantQuantity(zero) : scaled(countRows(rows, taken), value)
}

/** AVG of an attribute is centred; that of a CASE is the ratio of its sum and its count. */
function averageOf(rows: Rows, args: readonly Node[], filter: Predicate): Quantity {
  const cases = branches(rows, args[0]!)
  if (!cases) {
    const addends = addendsOf(rows, args[0]!)
    return addends
      ? averageOfAddends(rows, addends, filter)
      : restQuantity(average(rows, summand(rows, args[0]!), filter))
  }
  const ask = (aggregate: typeof sumOf) => rows.parts.lower(aggregate(rows, args, filter))
  return restQuantity(between(cases, quotient(ask(sumOf), ask(countOf))))
}

/** A mean lies between the least and the greatest of the constants that it is made of. */
function between(cases: readonly Branch[], of: Expression): Expression {
  const values = cases.map(({ value }) => value).filter((value) => value !== null)
  const constants = values.filter((value): value is Rational => 'num' in value).sort(compare)
  if (constants.length < values.length || constants.length === 0) return of
  return { kind: 'clip', of, low: constants[0]!, high: constants.at(-1)! }
}
