import type { Node } from '@pgsql/types'
import { multiply, one, type Rational } from '../../../numeric/index.ts'
import type { Rows } from '../result/rows.ts'
import { plainName } from '../scope.ts'
import { attributesIn } from '../translation/nodes.ts'
import { operand } from './expression.ts'
import type { Summand } from './moment.ts'
import { summand } from './summand.ts'

/** A constant times functions of different attributes. */
export interface Factors {
  readonly times: Rational
  readonly of: readonly Summand[]
}

/**
 * x · f(y) · 2 where no attribute stands in two factors. Its sum is a product of what each factor is by itself, so that the
 * combinations of their values need not be listed. Undefined for any other expression.
 */
export function factorsOf(rows: Rows, node: Node): Factors | undefined {
  const factors = multiplied(node)
  const mentioned = factors.map((factor) => attributesIn(rows, factor))
  const all = mentioned.flat()
  const functions = factors.filter((_, i) => mentioned[i]!.length > 0)
  if (functions.length < 2 || new Set(all).size < all.length) return undefined
  const constants = factors.filter((_, i) => mentioned[i]!.length === 0).map((factor) => operand(rows, factor))
  if (!constants.every((constant) => constant.kind === 'constant' && constant.type === 'number')) return undefined
  const times = constants.map(({ value }) => value).reduce(multiply, one)
  return { times, of: functions.map((factor) => summand(rows, factor)) }
}

function multiplied(node: Node): readonly Node[] {
  if (!('A_Expr' in node) || node.A_Expr.kind !== 'AEXPR_OP' || plainName(node.A_Expr.name) !== '*') return [node]
  const { lexpr, rexpr } = node.A_Expr
  return lexpr && rexpr ? [...multiplied(lexpr), ...multiplied(rexpr)] : [node]
}
