import type { FuncCall, Node } from '@pgsql/types'
import { compare, one, type Rational, rational, subtract, zero } from '../../../numeric/index.ts'
import { type Attribute, isNumber } from '../../../schema/index.ts'
import { anything } from '../condition/condition.ts'
import { and, type Predicate } from '../condition/predicate.ts'
import { cells, codesOf, type Rows } from '../result/rows.ts'
import { attributeAt, plainName, unsupported } from '../scope.ts'
import type { Quantile } from '../statement.ts'
import { operand } from './expression.ts'
import { valueCodes } from './moment.ts'
import { type Quantity, restQuantity } from './quantity.ts'
import { attributeScalar } from './scalar.ts'
import { weigh } from './terms.ts'

/** How a quantile is written: which share of which values, sorted which way. */
interface Written {
  readonly share: Rational
  readonly of: Node
  readonly descending: boolean
  readonly kind: Quantile['kind']
}

const half = rational(1, 2)

/** MEDIAN(x), QUANTILE_CONT(x, p), PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x), and the same with DISC. */
const forms: { readonly [name: string]: (rows: Rows, node: Node, f: FuncCall) => Written } = {
  median: (rows, node, f) => {
    const [of] = argumentsOf(rows, node, f, 1)
    return { share: half, of: of!, descending: false, kind: 'continuous' }
  },
  quantile_cont: (rows, node, f) => plainForm(rows, node, f, 'continuous'),
  quantile_disc: (rows, node, f) => plainForm(rows, node, f, 'discrete'),
  // DuckDB's names.
  quantile: (rows, node, f) => plainForm(rows, node, f, 'discrete'),
  approx_quantile: (rows, node, f) => plainForm(rows, node, f, 'continuous'),
  percentile_cont: (rows, node, f) => withinGroup(rows, node, f, 'continuous'),
  percentile_disc: (rows, node, f) => withinGroup(rows, node, f, 'discrete'),
}

export const isQuantile = (name: string): boolean => Object.hasOwn(forms, name)

/** A quantile over the rows that its FILTER leaves. */
export function quantile(rows: Rows, node: Node, f: FuncCall, filter: Predicate): Quantity {
  const { share, of, descending, kind } = forms[plainName(f.funcname)]!(rows, node, f)
  const attribute = orderedAttribute(rows, of)
  const found = cells(rows, and(filter, anything(rows, attributeScalar(attribute))))
  const index = rows.universe.index.get(attribute.name)!
  const codes = valueCodes(attribute, codesOf(found, index, attribute.size))
  const isGrouped = rows.groups.codes.has(index)
  if (isGrouped)
    throw unsupported(
      rows,
      of,
      `a quantile of ${attribute.name} cannot be grouped by ${attribute.name} itself`,
      'Group by something else, or ask for it with a condition in WHERE.',
    )
  if (rows.groups.isMerged)
    throw unsupported(
      rows,
      of,
      'a quantile cannot be grouped by functions of several attributes, nor used with totals of groups',
      'Group by attributes, or by a function of one; or ask for it with a condition in WHERE.',
    )
  const records = weigh(found, [], rows.groups, rows.universe)
  // No record can ever be there: it is NULL.
  if (records.terms.length === 0 || codes.length === 0)
    return restQuantity({ kind: 'quotient', left: constantOf(zero), right: constantOf(zero) })
  const [from, to] = [codes[0]!, codes.at(-1)!]
  return restQuantity(
    rows.parts.quantile({
      attribute: attribute.name,
      share: descending ? subtract(one, share) : share,
      kind,
      upper: descending && kind === 'discrete',
      records,
      from,
      to,
    }),
  )
}

const constantOf = (value: Rational) => ({ kind: 'constant', value }) as const

function argumentsOf(rows: Rows, node: Node, f: FuncCall, wanted: number): readonly Node[] {
  const name = plainName(f.funcname)
  if (f.args?.length !== wanted)
    throw unsupported(rows, node, `${name} takes ${wanted} argument${wanted > 1 ? 's' : ''}`)
  return f.args
}

function plainForm(rows: Rows, node: Node, f: FuncCall, kind: Written['kind']): Written {
  const [of, share] = argumentsOf(rows, node, f, 2)
  return { share: shareAt(rows, share!), of: of!, descending: false, kind }
}

function withinGroup(rows: Rows, node: Node, f: FuncCall, kind: Written['kind']): Written {
  const name = plainName(f.funcname)
  const [order, ...others] = f.agg_within_group ? (f.agg_order ?? []) : []
  if (!order || others.length > 0 || f.args?.length !== 1)
    throw unsupported(
      rows,
      node,
      `${name} needs WITHIN GROUP (ORDER BY x)`,
      `Write ${name.toUpperCase()}(0.5) WITHIN GROUP (ORDER BY x).`,
    )
  const sort = (order as Extract<Node, { SortBy: unknown }>).SortBy
  return { share: shareAt(rows, f.args[0]!), of: sort.node!, descending: sort.sortby_dir === 'SORTBY_DESC', kind }
}

function shareAt(rows: Rows, node: Node): Rational {
  const of = operand(rows, node)
  if (of.kind !== 'constant' || of.type !== 'number')
    throw unsupported(rows, node, 'the fraction of a quantile must be a constant', 'Write a number such as 0.5.')
  if (compare(of.value, zero) < 0 || compare(of.value, one) > 0)
    throw unsupported(
      rows,
      node,
      'the fraction of a quantile must lie between 0 and 1',
      '0.9 asks for the value that 90% of the records do not exceed.',
    )
  if (of.value.num === 0n || compare(of.value, one) === 0)
    throw unsupported(
      rows,
      node,
      'the least and the greatest value depend on a single record, so they cannot be answered privately',
      `Ask for a quantile near it: ${of.value.num === 0n ? '0.01' : '0.99'}.`,
    )
  return of.value
}

/** Quantiles need an order: numbers and dates have one. */
function orderedAttribute(rows: Rows, node: Node): Attribute {
  const attribute = 'ColumnRef' in node ? attributeAt(rows, node) : undefined
  if (!attribute)
    throw unsupported(rows, node, 'a quantile must be of an attribute', 'Do the arithmetic outside: 2 * MEDIAN(x) + 1.')
  if (!isNumber(attribute) && attribute.kind !== 'date')
    throw unsupported(
      rows,
      node,
      `${attribute.name} is neither a number nor a date, so it has no quantiles`,
      'Group by it: SELECT x, COUNT(*) … GROUP BY x ORDER BY 2 DESC.',
    )
  return attribute
}
