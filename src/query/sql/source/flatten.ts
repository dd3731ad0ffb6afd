import type { Alias, Node, SelectStmt } from '@pgsql/types'
import { nearest, type Universe } from '../../../schema/index.ts'
import { columnName } from '../result/target.ts'
import { fault, matchName, quoteName, strings, unsupported } from '../scope.ts'
import type { Copies } from './copies.ts'
import type { Select } from './select.ts'
import { tableName } from './table-name.ts'

/** Where a statement's subqueries are put in place: the table that there is, and what may be copied for it. */
interface Context {
  readonly dataset: string
  readonly universe: Universe
  readonly copies: Copies
}

/** What subqueries are read in: the text, for places, the table that there is, and the ones that WITH names. */
interface Surroundings extends Context {
  readonly text: string
  readonly named: ReadonlyMap<string, { readonly select: SelectStmt; readonly columns: readonly string[] }>
}

/** A SELECT from the table itself: what it was taken from is put in its place. `table` is how attributes may be qualified. */
interface Flat {
  readonly select: Select
  readonly table: string
}

/**
 * Puts subqueries in FROM, and those that WITH names, in the place of their columns. They may rename, compute and filter, no more:
 * then a row of theirs is a record, and their conditions join the WHERE.
 */
export const flatten = (text: string, select: SelectStmt, context: Context): Flat =>
  flattened({ text, ...context, named: new Map() }, select)

function flattened(around: Surroundings, { withClause, ...select }: SelectStmt): Flat {
  const here = withClause ? { ...around, named: withNames(around, withClause.ctes ?? []) } : around
  const inner = subqueryIn(here, select)
  if (!inner) return { select, table: tableName(here.text, select, here.dataset) }
  if (inner.select.groupClause && !isAggregating(select.targetList) && !select.groupClause)
    return { select: aroundGroups(here, select, inner), table: here.dataset }
  const { select: below, columns } = columnsOf(here, inner)
  return {
    select: {
      ...replaced(here, select, { ...inner, columns }),
      fromClause: below.fromClause!,
      ...whereOf(below, here, select, { ...inner, columns }),
    },
    table: here.dataset,
  }
}

function withNames(around: Surroundings, ctes: readonly Node[]): Surroundings['named'] {
  const named = new Map(around.named)
  for (const cte of ctes) {
    if (!('CommonTableExpr' in cte)) continue
    const { ctename, ctequery, aliascolnames } = cte.CommonTableExpr
    if (!ctequery || !('SelectStmt' in ctequery)) throw unsupported(around, cte, 'WITH may contain only SELECT')
    // A name sees those before it.
    const { select } = flattened({ ...around, named }, ctequery.SelectStmt)
    named.set(ctename!, { select, columns: strings(aliascolnames) })
  }
  return named
}

interface Subquery {
  readonly select: SelectStmt
  readonly name: string
  /** New names of its first columns. */
  readonly renamed: readonly string[]
}

function subqueryIn(around: Surroundings, { fromClause = [] }: SelectStmt): Subquery | undefined {
  const [table, another] = fromClause
  const renames = (alias: Alias | undefined) => strings(alias?.colnames)
  if (!table || another) return undefined
  if ('RangeSubselect' in table) {
    const { subquery, alias } = table.RangeSubselect
    if (!subquery || !('SelectStmt' in subquery)) return undefined
    return {
      select: flattened(around, subquery.SelectStmt).select,
      name: alias?.aliasname ?? '',
      renamed: renames(alias),
    }
  }
  if (!('RangeVar' in table)) return undefined
  const { relname = '', alias } = table.RangeVar
  const named = around.named.get(relname)
  if (!named) return undefined
  const renamed = alias?.colnames ? renames(alias) : named.columns
  return { select: around.copies.of(named.select), name: alias?.aliasname ?? relname, renamed }
}

/** A query that only renames, computes from, selects and sorts the rows of one that groups is the latter with its columns. */
function aroundGroups(around: Surroundings, select: SelectStmt, inner: Subquery): Select {
  const { select: below, renamed } = inner
  const extra = (['limitCount', 'limitOffset', 'distinctClause'] as const).find((clause) => below[clause])
  if (extra)
    throw unsupported(
      around,
      [below[extra], below.targetList],
      'a subquery that groups and limits is not supported',
      'Sort and limit in the outer statement.',
    )
  const targets = (below.targetList ?? []).flatMap((t) => ('ResTarget' in t && t.ResTarget.val ? [t.ResTarget] : []))
  const names = targets.map(({ val, name }, i) => renamed[i] ?? name ?? columnName(val!))
  // Of equal names all are there in *, and the first is meant by the name.
  const columns = new Map(
    targets.map(({ val }, i) => [names.indexOf(names[i]!) < i ? `${names[i]} ${i + 1}` : names[i]!, val!]),
  )
  const of = { ...inner, columns }
  const named = below.groupClause!.map((node) => resolved(node, targets))
  const where = select.whereClause && mapColumns(select.whereClause, (node) => columnAt(around, node, of))
  const sortClause = select.sortClause ?? below.sortClause?.map((node) => resolvedSort(node, targets))
  const plain = replaced(around, { ...select, sortClause: undefined }, of)
  const sorted = select.sortClause ? replaced(around, select, of).sortClause : sortClause
  const qualify = [(below as Select).qualifyClause, where].filter((node) => node !== undefined)
  return {
    ...plain,
    fromClause: below.fromClause!,
    ...(below.whereClause && { whereClause: below.whereClause }),
    groupClause: named,
    ...(below.havingClause && { havingClause: below.havingClause }),
    ...(below.windowClause && { windowClause: below.windowClause }),
    ...(sorted && { sortClause: sorted }),
    ...(qualify.length > 0 && {
      qualifyClause: qualify.length === 1 ? qualify[0]! : { BoolExpr: { boolop: 'AND_EXPR' as const, args: qualify } },
    }),
  }
}

type TargetNode = Extract<Node, { ResTarget: unknown }>['ResTarget']

/** A position, or a name, in GROUP BY and ORDER BY is the item of the SELECT list; the outer list has others. */
function resolved(node: Node, targets: readonly TargetNode[]): Node {
  if ('A_Const' in node && node.A_Const.ival) return targets[(node.A_Const.ival.ival ?? 0) - 1]?.val ?? node
  const path = 'ColumnRef' in node ? strings(node.ColumnRef.fields) : []
  return (path.length === 1 && targets.find(({ name }) => name === path[0])?.val) || node
}

const resolvedSort = (node: Node, targets: readonly TargetNode[]): Node =>
  'SortBy' in node && node.SortBy.node
    ? { SortBy: { ...node.SortBy, node: resolved(node.SortBy.node, targets) } }
    : node

const more: readonly (keyof SelectStmt)[] = [
  'groupClause',
  'havingClause',
  'distinctClause',
  'sortClause',
  'limitCount',
  'limitOffset',
  'larg',
  'valuesLists',
]

/** The columns of a subquery by name, each as an expression of attributes. */
function columnsOf(
  around: Surroundings,
  { select, renamed }: Subquery,
): { select: SelectStmt; columns: Map<string, Node> } {
  const extra = more.find((clause) => select[clause] !== undefined)
  const aggregate = (select.targetList ?? []).find(isAggregating)
  if (extra || aggregate)
    throw unsupported(
      around,
      extra ? [select[extra], select.targetList] : aggregate,
      'an aggregate, or a group, of a subquery that groups, sorts or limits is not supported',
      'Ask for the groups by themselves, and compute the rest from the answer, at no cost. A subquery whose rows are counted may rename, compute and filter.',
    )
  const table = qualifierOf(select)
  const plain = (node: Node) => unqualified(around, node, table)
  const columns = (select.targetList ?? []).flatMap((target): [string, Node][] => {
    const { val, name } = (target as Extract<Node, { ResTarget: unknown }>).ResTarget
    if (isStar(val)) return around.universe.attributes.map((a) => [a.name, columnRef(a.name)])
    const column = name ?? ('ColumnRef' in val! ? strings(val.ColumnRef.fields).at(-1)! : '')
    return [[column, plain(val!)]]
  })
  const where = select.whereClause && plain(select.whereClause)
  return {
    select: { ...select, ...(where && { whereClause: where }) },
    columns: new Map(columns.map(([name, node], i) => [renamed[i] ?? name, node])),
  }
}

const aggregates =
  /^(count|sum|avg|min|max|median|mode|corr|count_?if|stddev.*|var.*|covar.*|regr_.*|percentile.*|quantile.*)$/
const isAggregating = (node: unknown): boolean =>
  node !== null &&
  typeof node === 'object' &&
  (('FuncCall' in node &&
    aggregates.test(strings((node as Extract<Node, { FuncCall: unknown }>).FuncCall.funcname).at(-1) ?? '')) ||
    Object.values(node).some(isAggregating))

const isStar = (node: Node | undefined) =>
  node && 'ColumnRef' in node && 'A_Star' in (node.ColumnRef.fields?.at(-1) ?? {})
const columnRef = (name: string): Node => ({ ColumnRef: { fields: [{ String: { sval: name } }] } })

/** How the table of a flat SELECT is called in it; it is the only one. */
const qualifierOf = ({ fromClause }: SelectStmt): string => {
  const [table] = fromClause ?? []
  return table && 'RangeVar' in table ? (table.RangeVar.alias?.aliasname ?? table.RangeVar.relname!) : ''
}

/** A copy in which every reference to a column is what `change` makes of it. */
function mapColumns<T>(value: T, change: (node: Extract<Node, { ColumnRef: unknown }>) => Node): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => mapColumns(item, change)) as T
  if ('ColumnRef' in value) return change(value as unknown as Extract<Node, { ColumnRef: unknown }>) as T
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mapColumns(child, change)])) as T
}

const unqualified = (around: Surroundings, node: Node, table: string): Node =>
  mapColumns(node, (column) => {
    const path = strings(column.ColumnRef.fields)
    checkQualifier(around, column, path, table)
    return { ColumnRef: { ...column.ColumnRef, fields: column.ColumnRef.fields!.slice(-1) } }
  })

function checkQualifier(around: Surroundings, node: Node, path: readonly string[], table: string): void {
  if (path.length === 1 || (path.length === 2 && matchName(path[0]!, [table]).length > 0)) return
  throw fault(
    around,
    node,
    'unknown-name',
    `there is no table ${JSON.stringify(path.slice(0, -1).join('.'))} here`,
    `The table is called ${quoteName(table)}.`,
    { name: path.join('.') },
  )
}

type Columns = Pick<Subquery, 'name'> & { readonly columns: ReadonlyMap<string, Node> }

/** The expression that a column of the subquery stands for. */
function columnAt(
  around: Surroundings,
  node: Extract<Node, { ColumnRef: unknown }>,
  { name: table, columns }: Columns,
): Node {
  const path = strings(node.ColumnRef.fields)
  checkQualifier(around, node, path, table)
  const names = [...columns.keys()]
  const [found] = matchName(path.at(-1)!, names)
  if (found !== undefined) return around.copies.of(columns.get(found)!)
  const near = nearest(path.at(-1)!, names)
  const hint = near
    ? `Did you mean ${quoteName(near)}?`
    : `Its columns are ${names.slice(0, 20).map(quoteName).join(', ')}.`
  throw fault(around, node, 'unknown-name', `the subquery has no column ${JSON.stringify(path.at(-1))}`, hint, {
    name: path.at(-1)!,
  })
}

/** The outer SELECT with the subquery's columns in place; GROUP BY and ORDER BY may also name columns of the result. */
function replaced(around: Surroundings, select: SelectStmt, of: Columns): SelectStmt {
  const aliases = (select.targetList ?? []).flatMap((t) =>
    'ResTarget' in t && t.ResTarget.name ? [t.ResTarget.name] : [],
  )
  const isAlias = (node: Extract<Node, { ColumnRef: unknown }>) => {
    const path = strings(node.ColumnRef.fields)
    return path.length === 1 && aliases.includes(path[0]!)
  }
  const column = (node: Extract<Node, { ColumnRef: unknown }>) => (isStar(node) ? node : columnAt(around, node, of))
  const isOwn = (node: Extract<Node, { ColumnRef: unknown }>) =>
    matchName(strings(node.ColumnRef.fields).at(-1)!, [...of.columns.keys()]).length > 0
  const { targetList, groupClause, sortClause, whereClause: _, fromClause: __, ...rest } = select
  return {
    ...mapColumns(rest, column),
    targetList: (targetList ?? []).flatMap((target) =>
      targetsFor(around, target as Extract<Node, { ResTarget: unknown }>, of, column),
    ),
    ...(groupClause && {
      groupClause: mapColumns(groupClause, (node) => (isAlias(node) && !isOwn(node) ? node : column(node))),
    }),
    ...(sortClause && { sortClause: mapColumns(sortClause, (node) => (isAlias(node) ? node : column(node))) }),
  }
}

/** A column keeps its name; * stands for all of them. */
function targetsFor(
  { copies }: Surroundings,
  target: Extract<Node, { ResTarget: unknown }>,
  { columns }: Columns,
  column: (node: Extract<Node, { ColumnRef: unknown }>) => Node,
): Node[] {
  const { val, name, ...rest } = target.ResTarget
  if (isStar(val))
    return columns
      .entries()
      .map(([each, node]): Node => ({ ResTarget: { ...rest, name: each, val: copies.of(node) } }))
      .toArray()
  const own = name ?? (val && 'ColumnRef' in val ? strings(val.ColumnRef.fields).at(-1) : undefined)
  return [{ ResTarget: { ...rest, ...(own !== undefined && { name: own }), val: mapColumns(val!, column) } }]
}

function whereOf(below: SelectStmt, around: Surroundings, select: SelectStmt, of: Columns): { whereClause?: Node } {
  const above = select.whereClause && mapColumns(select.whereClause, (node) => columnAt(around, node, of))
  const both = [below.whereClause, above].filter((node) => node !== undefined)
  if (both.length === 0) return {}
  return { whereClause: both.length === 1 ? both[0]! : { BoolExpr: { boolop: 'AND_EXPR', args: both } } }
}
