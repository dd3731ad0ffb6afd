import type { Node } from '@pgsql/types'
import type { Rational } from '../../../numeric/index.ts'
import { operand } from '../expression/expression.ts'
import { product, type Quantity, restQuantity } from '../expression/quantity.ts'
import { plainName, unsupported } from '../scope.ts'
import type { Expression } from '../statement.ts'
import { hasAggregate, type Result } from './result.ts'

/** Functions of aggregates that are more than arithmetic: GREATEST, LEAST, COALESCE, ABS, SQRT. undefined for anything else. */
export function functionOfResult(result: Result, node: Node): Quantity | undefined {
  if ('MinMaxExpr' in node) return bounded(result, node)
  if ('CoalesceExpr' in node) return known(result, node)
  const name = 'FuncCall' in node ? plainName(node.FuncCall.funcname) : ''
  const [of, another] = 'FuncCall' in node ? (node.FuncCall.args ?? []) : []
  if (!of || another || (name !== 'abs' && name !== 'sqrt')) return undefined
  const found = result.parts.lower(result.quantity(result, of))
  return restQuantity({ kind: 'root', of: name === 'abs' ? product(found, found) : found })
}

/** GREATEST(COUNT(*), 0): one aggregate and constants. */
function bounded(result: Result, node: Extract<Node, { MinMaxExpr: unknown }>): Quantity {
  const { op, args = [] } = node.MinMaxExpr
  const [of, another] = args.filter(hasAggregate)
  if (!of || another)
    throw unsupported(
      result,
      node,
      'GREATEST and LEAST take one aggregate, and constants',
      'Ask for the aggregates themselves, and compare their answers.',
    )
  const bounds = args.filter((arg) => arg !== of).map((arg) => constantAt(result, arg))
  return restQuantity(
    bounds.reduce<Expression>(
      (e, bound) =>
        op === 'IS_GREATEST'
          ? { kind: 'clip', of: e, low: bound, high: null }
          : { kind: 'clip', of: e, low: null, high: bound },
      result.parts.lower(result.quantity(result, of)),
    ),
  )
}

/** COALESCE(SUM(x), 0): counts and sums are never NULL here, so that it is the sum. */
function known(result: Result, node: Extract<Node, { CoalesceExpr: unknown }>): Quantity {
  const [of, ...others] = node.CoalesceExpr.args ?? []
  const found = result.quantity(result, of!)
  if (others.some(hasAggregate) || found.rest)
    throw unsupported(
      result,
      node,
      'COALESCE of an aggregate that may be NULL is not supported: whether it is NULL depends on noise',
      'Leave it out. A group without records has no average, and is reported as unknown.',
    )
  for (const other of others) constantAt(result, other)
  return found
}

function constantAt(result: Result, node: Node): Rational {
  const of = operand(result, node)
  if (of.kind === 'constant' && of.type === 'number') return of.value
  throw unsupported(result, node, 'only numbers can be combined with aggregates', 'Write a number here.')
}
