import type { Node } from '@pgsql/types'
import { attributeAt, plainName, type Scope } from '../scope.ts'
import { comparisonAt, nodesOf, plainComparisonAt } from './nodes.ts'

/**
 * How an expression depends on a value that is known by its bin: not at all; rising or falling with it; fixed within every bin, if
 * the checks hold; or in some other way, so that it would need the value itself.
 */
type Use = 'none' | 'monotone' | 'fixed' | 'value'

/** A part of an expression that must not change within a bin, and which way it is looked at. */
export interface Check {
  readonly node: Node
  /** The bounds of a comparison: both < and <= must be the same at the two ends of a bin. */
  readonly bounds?: readonly (readonly [left: Node, right: Node])[]
}

/** Steps of a number line: they rise or fall with their first argument, and stay the same for a while. */
const steps = ['floor', 'ceil', 'ceiling', 'round', 'trunc', 'width_bucket']
const integerTypes = ['int2', 'int4', 'int8']
const realTypes = ['numeric', 'decimal', 'float4', 'float8', 'double']

/** How an expression uses values that are in bins; what must be checked is added to `checks`. */
export function binsUse(scope: Scope, node: Node, checks: Check[]): Use {
  if (!nodesOf('ColumnRef', node).some((column) => attributeAt(scope, column).kind === 'bins')) return 'none'
  if ('ColumnRef' in node) return 'monotone'
  const use = (child: Node | undefined) => (child ? binsUse(scope, child, checks) : 'none')
  const checked = (of: Use, check: Check): Use => {
    if (of === 'monotone') checks.push(check)
    return of === 'monotone' ? 'fixed' : of
  }
  if (plainComparisonAt(node)) return 'fixed'
  const comparison = comparisonAt(node)
  if (comparison) {
    const { lexpr, rexpr } = comparison
    const others = rexpr && 'List' in rexpr ? (rexpr.List.items ?? []) : [rexpr!]
    const of = joint([use(lexpr), ...others.map(use)])
    return checked(of, { node, bounds: others.map((other) => [lexpr!, other] as const) })
  }
  if ('NullTest' in node) return use(node.NullTest.arg) === 'value' ? 'value' : 'fixed'
  if ('TypeCast' in node) {
    const type = plainName(node.TypeCast.typeName?.names)
    const of = use(node.TypeCast.arg)
    if (integerTypes.includes(type)) return checked(of, { node })
    return realTypes.includes(type) || of === 'fixed' ? of : 'value'
  }
  if ('FuncCall' in node && steps.includes(plainName(node.FuncCall.funcname))) {
    const [first, ...rest] = (node.FuncCall.args ?? []).map(use)
    return rest.every((each) => each === 'none') ? checked(first!, { node }) : 'value'
  }
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP') {
    const [left, right] = [use(node.A_Expr.lexpr), use(node.A_Expr.rexpr)]
    const operator = plainName(node.A_Expr.name)
    if (['+', '-', '*'].includes(operator)) return joint([left, right])
    if (operator === '/' && right !== 'monotone') return joint([left, right])
  }
  const children = childrenOf(node).map(use)
  return children.some((each) => each === 'monotone' || each === 'value') ? 'value' : 'fixed'
}

/** Of parts of which at most one changes within a bin. */
function joint(uses: readonly Use[]): Use {
  if (uses.includes('value') || uses.filter((use) => use === 'monotone').length > 1) return 'value'
  return uses.includes('monotone') ? 'monotone' : uses.includes('fixed') ? 'fixed' : 'none'
}

/** The expressions right below a node. */
function childrenOf(node: Node): Node[] {
  const found: Node[] = []
  const visit = (value: unknown) => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (value !== null && typeof value === 'object') {
      const [kind] = Object.keys(value)
      if (kind === 'CaseWhen' || kind === 'List')
        for (const child of Object.values(Object.values(value)[0]!)) visit(child)
      else if (kind && /^[A-Z]/.test(kind)) found.push(value as Node)
    }
  }
  for (const child of Object.values(Object.values(node)[0]!)) visit(child)
  return found
}
