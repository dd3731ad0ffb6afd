import type { A_Expr, Node } from '@pgsql/types'
import type { Attribute } from '../../../schema/index.ts'
import { operators } from '../condition/operator.ts'
import { attributeAt, plainName, type Scope } from '../scope.ts'

/** All nodes of a kind within an expression, itself included. */
export function* nodesOf<K extends string>(kind: K, node: unknown): Generator<Extract<Node, { [k in K]: unknown }>> {
  if (node === null || typeof node !== 'object') return
  if (kind in node) yield node as Extract<Node, { [k in K]: unknown }>
  for (const child of Object.values(node)) yield* nodesOf(kind, child)
}

const hasColumn = (node: unknown): boolean => !nodesOf('ColumnRef', node).next().done

/** The attributes that an expression mentions, in the order of the universe. */
export function attributesIn(scope: Scope, node: unknown): Attribute[] {
  const found = new Set(nodesOf('ColumnRef', node).map((column) => attributeAt(scope, column)))
  return scope.universe.attributes.filter((attribute) => found.has(attribute))
}

const comparisons: readonly (A_Expr['kind'] | undefined)[] = [
  'AEXPR_DISTINCT',
  'AEXPR_NOT_DISTINCT',
  'AEXPR_IN',
  'AEXPR_BETWEEN',
  'AEXPR_NOT_BETWEEN',
  'AEXPR_BETWEEN_SYM',
  'AEXPR_NOT_BETWEEN_SYM',
]

/** A comparison of values: = <> < <= > >=, IN, BETWEEN, IS DISTINCT FROM. */
export function comparisonAt(node: Node): A_Expr | undefined {
  if (!('A_Expr' in node)) return undefined
  const { kind, name } = node.A_Expr
  const found = comparisons.includes(kind) || (kind === 'AEXPR_OP' && operators.includes(plainName(name)))
  return found ? node.A_Expr : undefined
}

/** A comparison of an attribute itself with constants, or of constants: it needs no engine, and is checked against the cells. */
export function plainComparisonAt(node: Node): A_Expr | undefined {
  const found = comparisonAt(node)
  if (!found) return undefined
  const { lexpr, rexpr } = found
  const isPlain = hasColumn(lexpr)
    ? 'ColumnRef' in lexpr! && !hasColumn(rexpr)
    : !hasColumn(rexpr) || 'ColumnRef' in rexpr!
  return isPlain ? found : undefined
}
