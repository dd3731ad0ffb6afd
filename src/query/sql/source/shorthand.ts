import type { FuncCall, Node, SelectStmt } from '@pgsql/types'
import { hasAggregate } from '../result/result.ts'
import { plainName, type Scope, strings, unsupported } from '../scope.ts'
import type { Copies } from './copies.ts'
import { eachShare, withChildren, withoutLists } from './lists.ts'
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

/** SELECT DISTINCT, GROUP BY ALL, QUALIFY, MODE, lists, count_if, ifnull and if in plain SQL. */
export function withoutShorthand(scope: Pick<Scope, 'text' | 'notes'>, select: Select, copies: Copies): Select {
  const plain = spelled(withoutLists(qualified(scope, select), copies))
  return distinct(scope, allKeys(withoutMode(scope, { ...plain, targetList: eachShare(plain.targetList ?? []) })))
}

/** Windows are computed before QUALIFY selects rows, after HAVING does. */
function qualified({ text }: Pick<Scope, 'text'>, { havingClause, ...select }: Select): Select {
  if (!havingClause) return select
  return saysQualify(text) && !select.qualifyClause
    ? { ...select, qualifyClause: havingClause }
    : { ...select, havingClause }
}

/** Functions that others have for what has its own grammar in PostgreSQL. */
function spelled<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  const call = 'FuncCall' in value ? (value as unknown as Extract<Node, { FuncCall: unknown }>).FuncCall : undefined
  const plain = call && (counted(call) ?? chosen(call))
  if (plain) return spelled(plain) as T
  return withChildren(value, spelled)
}

/** count_if(c) is COUNT(*) FILTER (WHERE c). */
function counted({ args, agg_filter, funcname, ...rest }: FuncCall): Node | undefined {
  if (!/^count_?if$/.test(plainName(funcname)) || args?.length !== 1) return undefined
  const filter: Node = agg_filter ? { BoolExpr: { boolop: 'AND_EXPR', args: [agg_filter, args[0]!] } } : args[0]!
  return { FuncCall: { ...rest, funcname: [{ String: { sval: 'count' } }], agg_star: true, agg_filter: filter } }
}

/** ifnull(x, y) is COALESCE(x, y), and if(c, x, y) is CASE WHEN c THEN x ELSE y END. */
function chosen({ args = [], funcname, location }: FuncCall): Node | undefined {
  const name = plainName(funcname)
  const at = location === undefined ? {} : { location }
  if (/^(ifnull|nvl)$/.test(name) && args.length === 2) return { CoalesceExpr: { args, ...at } }
  const [expr, result, defresult] = args
  if (!/^(if|iff|iif)$/.test(name) || args.length !== 3) return undefined
  return { CaseExpr: { args: [{ CaseWhen: { expr: expr!, result: result!, ...at } }], defresult: defresult!, ...at } }
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
