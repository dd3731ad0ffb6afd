import { type Attribute, otherCode, type Policy } from '../../../schema/index.ts'
import { cast, codeSql, columnNamed, type FileReport, movedSql, outsideSql, valueSql } from '../sql/index.ts'
import { type Inspected, inspected } from './session.ts'

/** How an attribute's column meets the policy, in numbers of records. */
export interface AttributeReport {
  readonly name: string
  readonly closed: boolean
  readonly nulls: number
  /** There is a value, but not of the attribute's kind. */
  readonly unparsable: number
  /** Values that the policy does not list: in `other` where there is one, else NULL. */
  readonly unlisted: number
  /** Numbers and dates beyond the bounds, which are clamped. */
  readonly clamped: number
  /** Numbers within the bounds but off the grid, which count as the nearest value on it. */
  readonly moved: number
}

export interface PolicyReport {
  readonly files: readonly FileReport[]
  readonly columns: readonly string[]
  /** Columns that the policy names and the source lacks. */
  readonly missing: readonly string[]
  /** Whether every record can be read; if not, there are no counts. */
  readonly readable: boolean
  readonly rows: number
  /** Records beyond a person's share, where the unit is a column. */
  readonly beyondUnit: number
  readonly attributes: readonly AttributeReport[]
  /** How a change of the data is noticed, and what is not. */
  readonly changes: string
}

/**
 * Holds the source against the policy, for its owner alone: every number here is exact and private. Nothing of it may
 * reach an analyst; cli/ alone may import it.
 */
export async function inspectAgainst(policy: Policy, signal?: AbortSignal): Promise<PolicyReport> {
  const { files, changes, found } = await inspected(policy.source, (s) => compare(policy, s), signal)
  const columns = [...new Set(files.flatMap((f) => f.columns))]
  const unread = { columns, missing: [], rows: 0, beyondUnit: 0, attributes: [] }
  return { files, changes, readable: found !== undefined, ...(found ?? unread) }
}

async function compare({ privacy: { unit }, universe }: Policy, s: Inspected) {
  const wanted = [...universe.attributes.map((a) => a.name), ...(unit.kind === 'column' ? [unit.column] : [])]
  const missing = wanted.filter((n) => !columnNamed(s.columns, n))
  const attributes: AttributeReport[] = []
  for (const a of universe.attributes) if (!missing.includes(a.name)) attributes.push(await count(a, s))
  const { rows } = await s.numbers({ rows: 'count(*)' })
  const beyondUnit = unit.kind === 'column' && !missing.includes(unit.column) ? await beyond(unit, s) : 0
  return { columns: [...s.columns.keys()], missing, rows: rows!, beyondUnit, attributes }
}

async function count(a: Attribute, s: Inspected): Promise<AttributeReport> {
  const column = columnNamed(s.columns, a.name)!
  const when = (condition: string) => `count(*) FILTER (WHERE ${condition})`
  const unread = `${column.sql} IS NOT NULL AND ${valueSql(s.dialect, a, column)} IS NULL`
  const isOther = `${column.sql} IS NOT NULL AND ${codeSql(s.dialect, a, column)}`
  const other = a.kind === 'values' && a.other ? `${isOther} = ${otherCode(a)}` : 'false'
  const listed = a.kind === 'values'
  const n = await s.numbers({
    nulls: when(`${column.sql} IS NULL`),
    unparsable: when(listed ? 'false' : unread),
    unlisted: when(listed ? `(${unread}) OR (${other})` : 'false'),
    clamped: when(outsideSql(s.dialect, a, column)),
    moved: when(movedSql(s.dialect, a, column)),
  })
  const { nulls = 0, unparsable = 0, unlisted = 0, clamped = 0, moved = 0 } = n
  return { name: a.name, closed: a.closed, nulls, unparsable, unlisted, clamped, moved }
}

async function beyond(unit: { column: string; rows: number }, s: Inspected): Promise<number> {
  const person = cast(columnNamed(s.columns, unit.column)!.sql, 'VARCHAR')
  const people = `(SELECT count(*) AS n FROM ${s.records} GROUP BY ${person}) AS people`
  return (await s.numbers({ n: `sum(greatest(n - ${unit.rows}, 0))` }, people)).n!
}
