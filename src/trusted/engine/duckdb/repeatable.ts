import { ReticentError } from '../../../schema/index.ts'
import { quote, unreadable } from '../sql/index.ts'
import type { Connected } from './session.ts'

/** A part of DuckDB's plan: an operator or an expression. */
type Part = { readonly [key: string]: unknown }

/**
 * Throws where an owner's view, or a table with computed columns, may give other rows each time it is read, as far as that can be seen: then two answers
 * about one fingerprint would be about two tables. Judged by DuckDB's plan of the statement, in which views and macros are
 * replaced by what they stand for, and by its own catalogue of functions. What it reads must be there; rows need not be.
 */
export async function requireRepeatable({ connection }: Connected, sql: string): Promise<void> {
  const first = async (statement: string) => (await connection.runAndReadAll(statement)).getRowsJS()[0]![0]
  const { error, error_type, plans } = JSON.parse(String(await first(`SELECT json_serialize_plan(${quote(sql)})`)))
  if (error && error_type === 'not implemented') throw notRepeatable('reads something other than its source')
  if (error) throw unreadable('the `sql:` of the policy fails')
  const volatile = await first(`SELECT list(DISTINCT function_name) FROM duckdb_functions()
    WHERE stability IN ('VOLATILE', 'CONSISTENT_WITHIN_QUERY') AND function_name NOT IN (${harmless.map(quote)})`)
  const faults = faultsOf(new Set(volatile as string[]))
  for (const part of partsOf(plans)) {
    const found = faults.find(({ is }) => is(part))
    if (found) throw notRepeatable(found.what(part))
  }
}

const notRepeatable = (what: string) =>
  new ReticentError(
    'policy-invalid',
    {},
    {
      message: `the source may return different rows each time it is read: it ${what}`,
      hint: 'Write its result to a file, and use that as the source.',
    },
  )

/** It fails, always or never: the planner guards a subquery of one value with it. */
const harmless = ['error']
/** Functions that read the clock although the catalogue does not say so. */
const clocks = ['current_localtime', 'current_localtimestamp']
/** Sources of rows that are the same each time. */
const steadySources = ['seq_scan', 'range', 'generate_series', 'unnest']
/** What an aggregate or a window says depends on the order of the rows, and that is nobody's promise. */
const orderBound = [
  ...['first', 'last', 'any_value', 'arbitrary', 'list', 'array_agg', 'string_agg', 'group_concat', 'listagg'],
  ...['ROW_NUMBER', 'NTILE', 'LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE', 'FILL'].map((w) => `WINDOW_${w}`),
]
/** Sketches that come out otherwise when threads meet in another order. */
const sketches = ['approx_quantile', 'approx_top_k', 'reservoir_quantile']

interface Fault {
  readonly is: (part: Part) => boolean
  readonly what: (part: Part) => string
}

const faultsOf = (volatile: ReadonlySet<string>): readonly Fault[] => [
  { is: (p) => isCall(p) && isVolatile(p, volatile), what: (p) => `calls ${p.name}()` },
  { is: (p) => isFold(p) && sketches.includes(String(p.name)), what: (p) => `calls ${p.name}()` },
  { is: (p) => isFold(p) && needsOrder(p) && !isOrdered(p), what: (p) => `calls ${nameOf(p)}() without an ORDER BY` },
  { is: (p) => p.type === 'LOGICAL_SAMPLE', what: () => 'takes a sample' },
  { is: (p) => p.type === 'LOGICAL_LIMIT' && !followsOrder(p), what: () => 'has a LIMIT without an ORDER BY' },
  {
    is: (p) => p.type === 'LOGICAL_DISTINCT' && p.distinct_type === 'DISTINCT_ON' && !isOrdered(p),
    what: () => 'has a DISTINCT ON without an ORDER BY',
  },
  { is: (p) => p.type === 'LOGICAL_POSITIONAL_JOIN', what: () => 'joins rows by their positions' },
  {
    is: (p) => p.type === 'LOGICAL_GET' && !steadySources.includes(String(p.name)),
    what: () => 'reads something other than its source',
  },
]

/** All parts of a plan, but for what the planner adds to a subquery of one value: it fails where there are two. */
function* partsOf(value: unknown): Generator<Part> {
  if (typeof value !== 'object' || value === null) return
  const part = value as Part
  yield part
  const guard = part.type === 'LOGICAL_AGGREGATE_AND_GROUP_BY' && !Number.isSafeInteger(part.groupings_index)
  for (const inner of guard ? [part.children] : Object.values(part)) yield* partsOf(inner)
}

const isCall = (p: Part) => p.expression_class === 'BOUND_FUNCTION'
const isFold = (p: Part) => p.expression_class === 'BOUND_AGGREGATE' || p.expression_class === 'BOUND_WINDOW'
const isVolatile = ({ name, children }: Part, volatile: ReadonlySet<string>) =>
  volatile.has(String(name)) ||
  clocks.includes(String(name)) ||
  // Of one time it is the age today.
  (name === 'age' && (children as Part[]).length === 1)
const nameOf = ({ name, type }: Part) =>
  String(name || type)
    .replace('WINDOW_', '')
    .toLowerCase()
const needsOrder = (p: Part) =>
  orderBound.includes(String(p.name || p.type)) || [p.start, p.end].some((edge) => String(edge).endsWith('_ROWS'))
const isOrdered = ({ orders, arg_orders, order_bys, order_by }: Part) =>
  [orders, arg_orders, (order_bys as Part | null)?.orders, (order_by as Part | null)?.orders].some(
    (list) => Array.isArray(list) && list.length > 0,
  )
function followsOrder({ children }: Part): boolean {
  const [below] = children as [Part]
  return below.type === 'LOGICAL_ORDER_BY' || (below.type === 'LOGICAL_PROJECTION' && followsOrder(below))
}
