import type { Node, SelectStmt } from '@pgsql/types'
import { hasAggregate } from '../result/result.ts'
import { plainName, type Scope, strings, unsupported } from '../scope.ts'
import type { Copies } from './copies.ts'
import { eachShare, withoutLists } from './lists.ts'
import { withoutMode } from './mode.ts'
import type { Select } from './select.ts'

const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//.source
const groupByAll = /\bGROUP\s+BY\s+ALL\b(?=\s*(?:$|;|\)|HAVING\b|QUALIFY\b|ORDER\b|LIMIT\b|OFFSET\b|FETCH\b))/.source
const qualify = /\bQUALIFY\b/.source
const interval = /\bINTERVAL\s+\d+\s+(?:YEAR|MONTH|WEEK|DAY)S?\b/.source
const everyKey = '*'

/**
 * What DuckDB's users write and PostgreSQL's grammar cannot read, in words of the same length that it can: GROUP BY ALL,
 * INTERVAL 18 YEAR, and QUALIFY as a HAVING, which is told apart later.
 */
export const inPostgresGrammar = (text: string): string =>
  text.replace(new RegExp(`${quoted}|${groupByAll}|${interval}|${qualify}`, 'gi'), (piece) => {
    if (/^QUALIFY$/i.test(piece)) return 'HAVING '
    if (/^GROUP/i.test(piece)) return `${piece.slice(0, -3)}"${everyKey}"`
    if (!/^INTERVAL/i.test(piece)) return piece
    const [, count, unit] = piece.split(/\s+/)
    return `INTERVAL'${count}${unit}'`.padEnd(piece.length)
  })

/** Whether a statement says QUALIFY outside of quotes. */
const saysQualify = (text: string): boolean =>
  text.match(new RegExp(`${quoted}|${qualify}`, 'gi'))?.some((piece) => /^QUALIFY$/i.test(piece)) ?? false

/** SELECT DISTINCT, GROUP BY ALL, QUALIFY, MODE, lists and count_if in plain SQL. */
export function withoutShorthand(scope: Pick<Scope, 'text' | 'notes'>, select: Select, copies: Copies): Select {
  const plain = counted(withoutLists(qualified(scope, select), copies))
  return distinct(scope, allKeys(withoutMode(scope, { ...plain, targetList: eachShare(plain.targetList ?? []) })))
}

/** Windows are computed before QUALIFY selects rows, after HAVING does. */
function qualified({ text }: Pick<Scope, 'text'>, { havingClause, ...select }: Select): Select {
  if (!havingClause) return select
  return saysQualify(text) && !select.qualifyClause
    ? { ...select, qualifyClause: havingClause }
    : { ...select, havingClause }
}

/** count_if(c) is COUNT(*) FILTER (WHERE c). */
function counted<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(counted) as T
  const call = 'FuncCall' in value ? (value as unknown as Extract<Node, { FuncCall: unknown }>).FuncCall : undefined
  if (call && /^count_?if$/.test(plainName(call.funcname)) && call.args?.length === 1) {
    const { args, agg_filter, funcname: _, ...rest } = call
    const filter: Node = agg_filter ? { BoolExpr: { boolop: 'AND_EXPR', args: [agg_filter, args[0]!] } } : args[0]!
    return { FuncCall: { ...rest, funcname: [{ String: { sval: 'count' } }], agg_star: true, agg_filter: filter } } as T
  }
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, counted(child)])) as T
}

const valuesOf = ({ targetList }: SelectStmt): Node[] =>
  (targetList ?? []).flatMap((target) => ('ResTarget' in target && target.ResTarget.val ? [target.ResTarget.val] : []))

/** GROUP BY ALL: by all that is no aggregate. */
function allKeys({ groupClause, ...select }: Select): Select {
  const [first] = groupClause ?? []
  const isAll = first && 'ColumnRef' in first && strings(first.ColumnRef.fields).join() === everyKey
  if (!isAll) return { ...select, ...(groupClause && { groupClause }) }
  const keys = valuesOf(select).filter((node) => !hasAggregate(node))
  return { ...select, ...(keys.length > 0 && { groupClause: keys }) }
}

/** SELECT DISTINCT keys is GROUP BY keys; whether anybody has them only a count can tell. */
function distinct(scope: Pick<Scope, 'text' | 'notes'>, { distinctClause, ...select }: Select): Select {
  if (!distinctClause) return select
  const values = valuesOf(select)
  if (distinctClause.some((node) => Object.keys(node).length > 0))
    throw unsupported(scope, values, 'DISTINCT ON is not supported', 'Write GROUP BY.')
  if (select.groupClause || values.some(hasAggregate))
    throw unsupported(
      scope,
      values,
      'DISTINCT beside aggregates is not supported',
      'Leave it out: each group appears once.',
    )
  scope.notes.add(
    'the keys are all those that the policy allows; COUNT(*) is added, since only the count shows whether any record has them',
  )
  const count: Node = { FuncCall: { funcname: [{ String: { sval: 'count' } }], agg_star: true } }
  return {
    ...select,
    groupClause: values,
    targetList: [...select.targetList!, { ResTarget: { name: 'count', val: count } }],
  }
}
