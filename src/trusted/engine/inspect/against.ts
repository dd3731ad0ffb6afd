import { type Attribute, otherCode, type Policy, ReticentError } from '../../../schema/index.ts'
import { codeSql, outsideSql, valueSql } from '../duckdb/encode.ts'
import { resolveFiles } from '../duckdb/files.ts'
import { columnNamed, type DuckSource, records } from '../duckdb/relation.ts'
import { countsAgree, type FileReport, fileReports, type Look, look } from './open.ts'

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
}

/**
 * Holds the source against the policy, for its owner alone: every number here is exact and private. Nothing of it may
 * reach an analyst; cli/ alone may import it.
 */
export async function inspectAgainst(policy: Policy): Promise<PolicyReport> {
  const source = policy.source
  if (source.kind !== 'duckdb') {
    throw new ReticentError('not-supported', { source: source.kind }, { message: 'only files can be inspected yet' })
  }
  const files = await fileReports(await resolveFiles(source.path))
  if (files.some((f) => !f.wellFormed)) {
    const columns = [...new Set(files.flatMap((f) => f.columns))]
    return { files, columns, missing: [], readable: false, rows: 0, beyondUnit: 0, attributes: [] }
  }
  return look(source, (l) => compare(policy, source, files, l))
}

async function compare(policy: Policy, source: DuckSource, files: FileReport[], l: Look): Promise<PolicyReport> {
  const { unit } = policy.privacy
  const wanted = [...policy.universe.attributes.map((a) => a.name), ...(unit.kind === 'column' ? [unit.column] : [])]
  const missing = wanted.filter((n) => !columnNamed(l.columns, n))
  const report = { files, columns: [...l.columns.keys()], missing, rows: 0, beyondUnit: 0, attributes: [] }
  try {
    if (!(await countsAgree(l, source, files))) return { ...report, readable: false }
    const attributes: AttributeReport[] = []
    for (const a of policy.universe.attributes) if (!missing.includes(a.name)) attributes.push(await count(a, l))
    const { rows } = await l.numbers({ rows: 'count(*)' }, records)
    const beyondUnit = unit.kind === 'column' && !missing.includes(unit.column) ? await beyond(unit, l) : 0
    return { ...report, readable: true, rows: rows!, beyondUnit, attributes }
  } catch (error) {
    if (error instanceof ReticentError) throw error
    return { ...report, readable: false }
  }
}

async function count(a: Attribute, l: Look): Promise<AttributeReport> {
  const column = columnNamed(l.columns, a.name)!
  const when = (condition: string) => `count(*) FILTER (WHERE ${condition})`
  const unread = `${column.sql} IS NOT NULL AND ${valueSql(a, column)} IS NULL`
  const other =
    a.kind === 'values' && a.other ? `${column.sql} IS NOT NULL AND ${codeSql(a, column)} = ${otherCode(a)}` : 'false'
  const listed = a.kind === 'values'
  const n = await l.numbers(
    {
      nulls: when(`${column.sql} IS NULL`),
      unparsable: when(listed ? 'false' : unread),
      unlisted: when(listed ? `(${unread}) OR (${other})` : 'false'),
      clamped: when(outsideSql(a, column)),
    },
    records,
  )
  const { nulls = 0, unparsable = 0, unlisted = 0, clamped = 0 } = n
  return { name: a.name, closed: a.closed, nulls, unparsable, unlisted, clamped }
}

async function beyond(unit: { column: string; rows: number }, l: Look): Promise<number> {
  const person = columnNamed(l.columns, unit.column)!.sql
  const people = `(SELECT count(*) AS n FROM ${records} GROUP BY CAST(${person} AS VARCHAR))`
  return (await l.numbers({ n: `sum(greatest(n - ${unit.rows}, 0))` }, people)).n!
}
