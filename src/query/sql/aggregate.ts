import type { FuncCall, Node } from '@pgsql/types'
import { divide, multiply, negate, one, type Rational, rational, subtract, zero } from '../../numeric/index.ts'
import { type Attribute, valueGrid } from '../../schema/index.ts'
import { type Box, boxes } from './boxes.ts'
import { type Branch, branches } from './branches.ts'
import { anything, condition } from './condition.ts'
import { operand, plainName } from './expression.ts'
import type { aggregateNames } from './functions.ts'
import { type Moment, plainMoment, spread, squared, valueCodes } from './moment.ts'
import { always, and, type Predicate } from './predicate.ts'
import {
  constantQuantity,
  difference,
  linearQuantity,
  type Parts,
  plus,
  product,
  type Quantity,
  quotient,
  restQuantity,
  scaled,
  sum,
} from './quantity.ts'
import { everything, type Ranges, unite } from './ranges.ts'
import { attributeScalar } from './scalar.ts'
import { attributeAt, fault, type Scope } from './scope.ts'
import type { Expression } from './statement.ts'
import { type Groups, weigh } from './terms.ts'

/** What aggregates are taken over: the records of the WHERE, in groups; and where their queries are collected. */
export interface Rows extends Scope {
  readonly where: Predicate
  readonly groups: Groups
  readonly parts: Parts
}

type Aggregate = (rows: Rows, f: FuncCall, filter: Predicate) => Quantity

const aggregates: {
  readonly [K in (typeof aggregateNames)[number]]: { readonly arguments: number; readonly of: Aggregate }
} = {
  count: { arguments: 1, of: countOf },
  sum: { arguments: 1, of: sumOf },
  avg: { arguments: 1, of: average },
  var_pop: { arguments: 1, of: (r, f, c) => restQuantity(variance(r, f, c, 'population')) },
  var_samp: { arguments: 1, of: (r, f, c) => restQuantity(variance(r, f, c, 'sample')) },
  variance: { arguments: 1, of: (r, f, c) => restQuantity(variance(r, f, c, 'sample')) },
  stddev_pop: { arguments: 1, of: (r, f, c) => restQuantity({ kind: 'root', of: variance(r, f, c, 'population') }) },
  stddev_samp: { arguments: 1, of: (r, f, c) => restQuantity({ kind: 'root', of: variance(r, f, c, 'sample') }) },
  stddev: { arguments: 1, of: (r, f, c) => restQuantity({ kind: 'root', of: variance(r, f, c, 'sample') }) },
  covar_pop: { arguments: 2, of: (r, f, c) => restQuantity(covariance(r, f, c, 'population')) },
  covar_samp: { arguments: 2, of: (r, f, c) => restQuantity(covariance(r, f, c, 'sample')) },
}

export const isAggregate = (f: FuncCall): boolean => Object.hasOwn(aggregates, plainName(f.funcname))

/** An aggregate over the rows that its FILTER leaves. */
export function aggregate(rows: Rows, node: Node, f: FuncCall): Quantity {
  const name = plainName(f.funcname)
  const known = aggregates[name as keyof typeof aggregates]
  const filter = and(rows.where, f.agg_filter ? condition(rows, f.agg_filter) : always)
  if (f.agg_star) {
    if (name !== 'count') throw fault(rows, node, 'sql-unsupported', `${name}(*) does not exist`)
    return countRows(rows, filter)
  }
  if (f.args?.length !== known.arguments)
    throw fault(
      rows,
      node,
      'sql-unsupported',
      `${name} takes ${known.arguments} argument${known.arguments > 1 ? 's' : ''}`,
    )
  return known.of(rows, f, filter)
}

const cells = (rows: Rows, where: Predicate): Box[] => boxes(where, rows.universe, rows.work)
const sumOver = (rows: Rows, found: readonly Box[], ...moments: Moment[]): Quantity =>
  linearQuantity(weigh(found, moments, rows.groups, rows.universe))
const countRows = (rows: Rows, where: Predicate): Quantity => sumOver(rows, cells(rows, where))

/** COUNT(x) counts what is not NULL. */
function countOf(rows: Rows, f: FuncCall, filter: Predicate): Quantity {
  const [argument] = f.args as [Node]
  const cases = branches(rows, argument)
  if (cases) {
    const counted = cases.map(({ where, value }) => {
      if (value === null) return constantQuantity(zero)
      const notNull = 'name' in value ? anything(rows, attributeScalar(value)) : always
      return countRows(rows, and(filter, where, notNull))
    })
    return counted.reduce(plus, constantQuantity(zero))
  }
  const of = operand(rows, argument)
  if (of.kind === 'constant') return of.type === 'null' ? constantQuantity(zero) : countRows(rows, filter)
  return countRows(rows, and(filter, anything(rows, of)))
}

/** SUM of no rows is NULL in SQL and 0 here: whether there are rows is not known. */
function sumOf(rows: Rows, f: FuncCall, filter: Predicate): Quantity {
  const [argument] = f.args as [Node]
  const cases = branches(rows, argument)
  if (!cases) return sumOver(rows, cells(rows, filter), plainMoment(numberAttribute(rows, argument)))
  return cases.map((branch) => sumOfBranch(rows, filter, branch)).reduce(plus, constantQuantity(zero))
}

function sumOfBranch(rows: Rows, filter: Predicate, { where, value }: Branch): Quantity {
  if (value === null) return constantQuantity(zero)
  const taken = and(filter, where)
  if ('name' in value) return sumOver(rows, cells(rows, taken), plainMoment(value))
  return value.num === 0n ? constantQuantity(zero) : scaled(countRows(rows, taken), value)
}

/** centre + Σ(x - centre) / n. */
function average(rows: Rows, f: FuncCall, filter: Predicate): Quantity {
  const [argument] = f.args as [Node]
  if (branches(rows, argument)) {
    const top = rows.parts.lower(sumOf(rows, f, filter))
    return restQuantity(quotient(top, rows.parts.lower(countOf(rows, f, filter))))
  }
  const attribute = numberAttribute(rows, argument)
  const found = known(rows, filter, attribute)
  const { low, high, centre, moment } = spreadIn(rows, found, attribute)
  const total = rows.parts.lower(sumOver(rows, found, moment))
  const mean = quotient(total, rows.parts.lower(sumOver(rows, found)))
  return restQuantity({ kind: 'clip', of: sum(constantOf(centre), mean), low, high })
}

const constantOf = (value: Rational): Expression => ({ kind: 'constant', value })
type Of = 'population' | 'sample'
const divisor = (n: Expression, of: Of): Expression => (of === 'sample' ? difference(n, constantOf(one)) : n)

/**
 * The most that a variance or covariance of values within these widths can be: a quarter of the product, half of it
 * for a sample (n/(n-1) of that, most at n = 2).
 */
const mostOf = (widths: Rational, of: Of): Rational => divide(widths, rational(of === 'sample' ? 2 : 4))

/** (Σx² - (Σx)²/n) / n or / (n-1), with x less its centre. */
function variance(rows: Rows, f: FuncCall, filter: Predicate, of: Of): Expression {
  const attribute = numberAttribute(rows, f.args![0]!)
  const found = known(rows, filter, attribute)
  const { low, high, moment } = spreadIn(rows, found, attribute)
  const ask = (...moments: Moment[]) => rows.parts.lower(sumOver(rows, found, ...moments))
  const total = ask(moment)
  const squares = ask(squared(moment))
  const n = ask()
  const value = quotient(difference(squares, quotient(product(total, total), n)), divisor(n, of))
  const width = subtract(high, low)
  return { kind: 'clip', of: value, low: zero, high: mostOf(multiply(width, width), of) }
}

/** (Σxy - Σx·Σy/n) / n or / (n-1), over the records where neither is NULL. */
function covariance(rows: Rows, f: FuncCall, filter: Predicate, of: Of): Expression {
  const [x, y] = f.args!.map((argument) => numberAttribute(rows, argument)) as [Attribute, Attribute]
  if (x === y) return variance(rows, f, filter, of)
  const found = known(rows, filter, x, y)
  const [a, b] = [spreadIn(rows, found, x), spreadIn(rows, found, y)]
  const ask = (...moments: Moment[]) => rows.parts.lower(sumOver(rows, found, ...moments))
  const both = ask(a.moment, b.moment)
  const products = product(ask(a.moment), ask(b.moment))
  const n = ask()
  const value = quotient(difference(both, quotient(products, n)), divisor(n, of))
  const most = mostOf(multiply(subtract(a.high, a.low), subtract(b.high, b.low)), of)
  return { kind: 'clip', of: value, low: negate(most), high: most }
}

/** The cells of the condition in which these attributes are not NULL. */
const known = (rows: Rows, filter: Predicate, ...attributes: Attribute[]): Box[] =>
  cells(rows, and(filter, ...attributes.map((a) => anything(rows, attributeScalar(a)))))

function spreadIn(rows: Rows, found: readonly Box[], attribute: Attribute) {
  const index = rows.universe.index.get(attribute.name)!
  const codes = valueCodes(attribute, codesOf(found, index, attribute.size))
  return spread(attribute, codes.length > 0 ? codes : valueCodes(attribute, everything(attribute.size)))
}

/** The codes that an attribute can have in some box. */
export const codesOf = (found: readonly Box[], index: number, size: number): Ranges =>
  found.map((box) => box.get(index) ?? everything(size)).reduce(unite, [])

/** SUM and its kin add up attributes that are numbers. */
function numberAttribute(rows: Rows, node: Node): Attribute {
  const attribute = 'ColumnRef' in node ? attributeAt(rows, node) : undefined
  if (!attribute)
    throw fault(
      rows,
      node,
      'sql-unsupported',
      'only an attribute, or a CASE, can be aggregated',
      'Do the arithmetic outside: 2 * SUM(x), SUM(x) - 10 * COUNT(x).',
    )
  if (!valueGrid(attribute))
    throw fault(
      rows,
      node,
      'sql-unsupported',
      `${attribute.name} is not a number, so it cannot be added up`,
      'Count it with COUNT, or group by it.',
    )
  return attribute
}
