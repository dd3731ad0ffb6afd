import { insteadOf } from './alternatives.ts'
import { faultAt, indexOfByte, supported } from './fault.ts'
import { plainName } from './scope.ts'

const window = 'name refname partitionClause orderClause frameOptions startOffset endOffset'.split(' ')

/**
 * The allow-list: every kind of node and every field that the front end understands. What is not here is refused,
 * whatever it means, before anything reads it; so a new feature of the grammar can never slip through.
 */
const fields: { readonly [node: string]: readonly string[] } = {
  SelectStmt:
    'targetList fromClause whereClause groupClause havingClause sortClause limitOffset limitCount limitOption op distinctClause withClause windowClause'.split(
      ' ',
    ),
  ResTarget: ['name', 'val'],
  RangeVar: ['relname', 'inh', 'relpersistence', 'alias', 'schemaname'],
  ColumnRef: ['fields'],
  A_Star: [],
  RangeSubselect: ['subquery', 'alias'],
  CommonTableExpr: ['ctename', 'aliascolnames', 'ctematerialized', 'ctequery'],
  A_Const: ['ival', 'fval', 'sval', 'boolval', 'isnull'],
  A_Expr: ['kind', 'name', 'lexpr', 'rexpr', 'rexpr_list_start', 'rexpr_list_end'],
  BoolExpr: ['boolop', 'args'],
  NullTest: ['arg', 'nulltesttype'],
  BooleanTest: ['arg', 'booltesttype'],
  FuncCall: ['funcname', 'args', 'agg_filter', 'agg_star', 'funcformat', 'over'],
  WindowDef: window,
  SubLink: ['subLinkType', 'subselect'],
  GroupingSet: ['kind', 'content'],
  RowExpr: ['args', 'row_format'],
  A_ArrayExpr: ['elements', 'list_start', 'list_end'],
  TypeCast: ['arg', 'typeName'],
  CaseExpr: ['arg', 'args', 'defresult'],
  CoalesceExpr: ['args'],
  MinMaxExpr: ['op', 'args'],
  CaseWhen: ['expr', 'result'],
  SortBy: ['node', 'sortby_dir', 'sortby_nulls'],
  List: ['items'],
  String: ['sval'],
}
/** Objects that stand in a field without a node's name around them. */
const inner: { readonly [field: string]: readonly string[] } = {
  over: window,
  alias: ['aliasname', 'colnames'],
  withClause: ['ctes'],
  typeName: ['names', 'typmods', 'typemod'],
  ival: ['ival'],
  fval: ['fval'],
  sval: ['sval'],
  boolval: ['boolval'],
}

/** Plain words for what people try most. */
const words: { readonly [nodeOrField: string]: string } = {
  CollateClause: 'COLLATE',
  DeleteStmt: 'DELETE',
  ExplainStmt: 'EXPLAIN',
  InsertStmt: 'INSERT',
  JoinExpr: 'a join',
  ParamRef: 'a parameter ($1)',
  RangeFunction: 'a function in FROM',
  RangeTableSample: 'TABLESAMPLE',
  GroupingFunc: 'GROUPING(…)',
  SQLValueFunction: 'the current date, time or user',
  testexpr: 'a subquery in a condition',
  UpdateStmt: 'UPDATE',
  VariableShowStmt: 'SHOW',
  agg_distinct: 'DISTINCT in an aggregate',
  agg_order: 'ORDER BY in an aggregate',
  agg_within_group: 'WITHIN GROUP',
  catalogname: 'a table of another database',
  func_variadic: 'VARIADIC',
  groupDistinct: 'GROUP BY DISTINCT',
  intoClause: 'SELECT INTO',
  larg: 'UNION, INTERSECT or EXCEPT',
  lockingClause: 'FOR UPDATE or FOR SHARE',
  rarg: 'UNION, INTERSECT or EXCEPT',
  schemaname: 'a table of another schema',
  useOp: 'ORDER BY … USING',
  valuesLists: 'VALUES',
  recursive: 'WITH RECURSIVE',
}

/** Deeper expressions are refused, so that reading them cannot exhaust the stack. */
const maxDepth = 400

type Body = { readonly [field: string]: unknown }
interface Visit {
  readonly value: unknown
  /** The fields allowed when `value` is an unnamed object; undefined where a named node must stand. */
  readonly allowed: readonly string[] | undefined
  /** Where it stands in the text, which takes a look at all below it. */
  readonly location: () => number
  readonly depth: number
}

/** Walks the whole tree and throws at the first thing that is not on the list. */
export function admit(text: string, statement: unknown): void {
  const refuse = (what: string, location: number, instead: string = supported) =>
    faultAt(text, indexOfByte(text, location), 'sql-unsupported', `${what} is not supported`, instead)
  const pending: Visit[] = [{ value: statement, allowed: undefined, location: () => 0, depth: 0 }]
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    const { value, location, depth } = visit
    if (depth > maxDepth) throw refuse('an expression nested this deeply', location())
    if (Array.isArray(value)) {
      for (const item of value.toReversed()) pending.push({ value: item, allowed: undefined, location, depth })
      continue
    }
    if (value === null || typeof value !== 'object') continue
    const [body, allowed] = visit.allowed ? [value as Body, visit.allowed] : named(value as Body)
    // A statement that is no SELECT is refused as a whole, from its first word.
    const here = () => (depth === 0 && !allowed ? 0 : place(body, location))
    const kind = Object.keys(value)[0]!
    if (!allowed) throw refuse(words[kind] ?? plain(kind), here(), insteadOf(kind))
    for (const field of Object.keys(body).reverse()) {
      const child = body[field]
      if (field === 'location' || (field === 'distinctClause' && isPlainDistinct(child))) continue
      if (!allowed.includes(field) && !isOrder(field, body))
        throw refuse(words[field] ?? plain(field), place(child, here), insteadOf(field, functionName(body)))
      pending.push({ value: child, allowed: inner[field], location: here, depth: depth + 1 })
    }
  }
}

/** What a quantile, or the mode, is taken in the order of. */
const isOrder = (field: string, body: Body): boolean =>
  (field === 'agg_order' || field === 'agg_within_group') && /^(percentile_.*|mode)$/.test(functionName(body) ?? '')

/** DISTINCT without ON is a list of one empty item. */
const isPlainDistinct = (child: unknown): boolean =>
  Array.isArray(child) && child.every((item) => Object.keys(item).length === 0)

/** Of a call of a function, what it is called. */
const functionName = ({ funcname }: Body): string | undefined =>
  Array.isArray(funcname) ? plainName(funcname) : undefined

/** A node is an object with one key, its kind. */
function named(value: Body): [Body, readonly string[] | undefined] {
  const [kind] = Object.keys(value)
  const body = value[kind!]
  // An empty item of a list, which the grammar has in GROUP BY () only, has no kind at all.
  return kind && body !== null && typeof body === 'object' ? [body as Body, fields[kind]] : [{}, undefined]
}

/** The smallest byte that the tree points at, from the top down; else that of whoever asks. */
function place(value: unknown, otherwise: () => number): number {
  const level = [value].flat()
  for (let depth = 0, items: unknown[] = level; depth < 12 && items.length > 0; depth++) {
    const objects = items.filter((v): v is Body => v !== null && typeof v === 'object')
    const found = objects.map((v) => v.location).filter((l): l is number => typeof l === 'number' && l >= 0)
    if (found.length > 0) return Math.min(...found)
    items = objects.flatMap((v) => Object.values(v).flat())
  }
  return otherwise()
}

/** CreateTableAsStmt → "create table as". */
const plain = (name = 'this'): string =>
  name
    .replace(/Stmt$|Expr$/, '')
    .replace(/_/g, ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
