import type { Node, SelectStmt } from '@pgsql/types'
import { toNumber } from '../../numeric/index.ts'
import type { Universe } from '../../schema/index.ts'
import { checkQuery, type LinearQuery } from '../linear-query.ts'
import { admit } from './admit.ts'
import { condition } from './condition/condition.ts'
import { always } from './condition/predicate.ts'
import { operand } from './expression/expression.ts'
import { Parts } from './expression/quantity.ts'
import { parseOne } from './grammar.ts'
import { notesOf } from './notes.ts'
import { quantity } from './result/arithmetic.ts'
import { type Grouped, groupBy } from './result/group-by.ts'
import { having } from './result/having.ts'
import { asOperand, axisOf, hasAggregate, hasWindow, type Result, rounded, side } from './result/result.ts'
import { type Target, targetAt, targetNamed, targets } from './result/target.ts'
import { type Scope, unsupported } from './scope.ts'
import { Copies } from './source/copies.ts'
import { flatten } from './source/flatten.ts'
import type { Select } from './source/select.ts'
import { withoutShorthand } from './source/shorthand.ts'
import type { Axis, Column, Order, Statement } from './statement.ts'
import { readComputing } from './translation/read.ts'
import { maxTerms, tooManyTerms, Work } from './work.ts'

/** The table that there is. */
interface Context {
  readonly dataset: string
  readonly universe: Universe
}

/**
 * Reads a SELECT of the supported subset (docs/sql.md) as linear queries and arithmetic over their answers. What a
 * statement means is exact over the encoded table: every record has in each attribute one of its codes, clamped,
 * rounded, 'other' or NULL as the policy says. It differs from PostgreSQL in that a ratio is never cut to an integer,
 * SUM of no rows is 0, and groups without rows are there. Throws ReticentError; nothing is asked of the data.
 *
 * The text goes through PostgreSQL's parser (grammar.ts) and the list of what is allowed (admit.ts). Then condition/ makes
 * disjoint boxes of cells from WHERE, expression/ makes linear queries from aggregates over them, and result/ has what is done
 * with the answers: groups, HAVING, ORDER BY, intervals.
 */
export async function parseSql(text: string, context: Context): Promise<Statement> {
  const tree = await parseOne(text)
  admit(text, tree)
  const notes = new Set<string>()
  const written = (tree as Extract<Node, { SelectStmt: unknown }>).SelectStmt
  const copies = new Copies({ text })
  const { select: flat, table } = flatten(text, written, { ...context, copies })
  const select = withoutShorthand({ text, notes }, flat, copies)
  const list = targets({ text }, select.targetList)
  const scope: Scope = {
    text,
    universe: context.universe,
    table,
    work: new Work(),
    computed: new Map(),
    notes,
  }
  return readComputing(scope, () => read(scope, select, list, context))
}

function read(scope: Scope, select: Select, list: readonly Target[], context: Context): Statement {
  const copies = new Copies(scope)
  const where = select.whereClause ? condition(scope, select.whereClause) : always
  const { axes: keys, groups, rows, isWhole, firstTotal } = groupBy(scope, select.groupClause, list, where)
  const axes = named(keys, list, scope)
  const result: Result = {
    ...scope,
    where,
    groups,
    axes: keys,
    grouped: { axes, rows, isWhole, firstTotal },
    windows: select.windowClause ?? [],
    quantity,
    aliased: (node) => targetNamed(node, list)?.node ?? node,
    flattened: (inner) => flatten(scope.text, inner, { ...context, copies }),
    parts: new Parts(),
  }
  const columns = columnsOf(result, select, list)
  const filter = filterOf(result, select)
  const orderBy = (select.sortClause ?? []).map((node) => order(result, node, list, columns))
  const { limit, offset } = limits(scope, select)
  const parts = checkedQueries(result)
  const notes = [...notesOf(parts, scope.universe), ...scope.notes]
  return {
    text: scope.text,
    axes,
    ...(rows && { rows }),
    parts,
    ...(result.parts.quantiles.length > 0 && { quantiles: result.parts.quantiles }),
    ...(notes.length > 0 && { notes }),
    columns,
    ...(filter && { having: filter }),
    orderBy,
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  }
}

function columnsOf(result: Result, { targetList }: SelectStmt, list: readonly Target[]): Column[] {
  const columns = list.map((target) => column(result, target))
  if (columns.every((c) => c.kind === 'key') || !targetList!.some(hasAggregate))
    throw unsupported(result, targetList, 'the SELECT list has no aggregate', 'Add one, such as COUNT(*).')
  return columns
}

function checkedQueries({ parts: { queries }, universe }: Result): readonly LinearQuery[] {
  const terms = queries.reduce((sum, query) => sum + query.terms.length, 0)
  if (terms > maxTerms) throw tooManyTerms(terms)
  for (const query of queries) checkQuery(query, universe)
  return queries
}

function column(result: Result, { node, name }: Target): Column {
  const axis = hasAggregate(node) ? undefined : axisOf(result, node)
  if (axis !== undefined) return { kind: 'key', name, axis }
  const { of, decimals } = rounded(result, node)
  const expression = result.parts.lower(quantity(result, of))
  return { kind: 'value', name, expression, ...(decimals !== undefined && { decimals }) }
}

/** An axis is called as the SELECT list calls it, else by its attribute; names never repeat. */
function named(axes: Grouped['axes'], list: readonly Target[], scope: Scope): Axis[] {
  const target = ({ scalar }: Grouped['axes'][number]) =>
    list.find((t) => t.alias && !hasAggregate(t.node) && isValue(scope, t.node, scalar.signature))
  const called = axes.map((axis) => target(axis)?.alias ?? nameOf(axis))
  const names = new Set(called).size === called.length ? called : axes.map(nameOf)
  return axes.map(({ scalar, labels }, i) => ({
    name: names.indexOf(names[i]!) < i ? `${names[i]} ${i + 1}` : names[i]!,
    attribute: scalar.attribute.name,
    labels,
    ...(scalar.kind === 'scalar' && scalar.attribute.kind === 'bins' && { inOrder: true }),
  }))
}

const nameOf = ({ scalar }: Grouped['axes'][number]): string =>
  scalar.kind === 'computed' ? scalar.attributes.map(({ name }) => name).join(' ') : scalar.attribute.name

/** HAVING, and what a query around this one selects. Windows look at what HAVING leaves, which depends on noise. */
function filterOf(result: Result, { havingClause, qualifyClause, windowClause, targetList }: Select) {
  const conditions = [havingClause, qualifyClause].flatMap((node) => (node ? [having(result, node)] : []))
  if (havingClause && hasWindow([targetList, windowClause, qualifyClause]))
    throw unsupported(
      result,
      havingClause,
      'window functions would see only the groups that HAVING leaves, which depends on noise',
      'Leave HAVING out, or put conditions on keys into WHERE.',
    )
  return conditions.length > 0 ? conditions.reduce((left, right) => ({ kind: 'and', left, right })) : undefined
}

function isValue(scope: Scope, node: Node, signature: string): boolean {
  const of = operand(scope, node)
  return of.kind !== 'constant' && of.signature === signature
}

/** As in PostgreSQL: a position, else an output name, else an expression; NULL counts as larger than any value. */
function order(result: Result, node: Node, list: readonly Target[], columns: readonly Column[]): Order {
  const sort = (node as Extract<Node, { SortBy: unknown }>).SortBy
  const target = targetAt(result, 'ORDER BY', sort.node!, list) ?? targetNamed(sort.node!, list)
  const column = target && columns[list.indexOf(target)]!
  const by = column
    ? column.kind === 'key'
      ? ({ kind: 'key', axis: column.axis } as const)
      : column.expression
    : asOperand(result, sort.node!, side(result, sort.node!))
  const descending = sort.sortby_dir === 'SORTBY_DESC'
  const stated = sort.sortby_nulls !== undefined && sort.sortby_nulls !== 'SORTBY_NULLS_DEFAULT'
  return { by, descending, nullsFirst: stated ? sort.sortby_nulls === 'SORTBY_NULLS_FIRST' : descending }
}

function limits(scope: Scope, select: SelectStmt): { limit: number | undefined; offset: number | undefined } {
  if (select.limitOption === 'LIMIT_OPTION_WITH_TIES')
    throw unsupported(scope, select.limitCount, 'WITH TIES is not supported')
  return { limit: wholeNumber(scope, select.limitCount), offset: wholeNumber(scope, select.limitOffset) }
}

/** LIMIT and OFFSET take a constant; NULL and ALL mean none. */
function wholeNumber(scope: Scope, node: Node | undefined): number | undefined {
  if (!node) return undefined
  const of = operand(scope, node)
  if (of.kind === 'constant' && of.type === 'null') return undefined
  if (of.kind !== 'constant' || of.type !== 'number' || !of.integer || of.value.num < 0n)
    throw unsupported(scope, node, 'LIMIT and OFFSET take a whole number, 0 or more')
  return toNumber(of.value)
}
