import { type Factor, factorTable, type Term } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { Dialect } from './dialect.ts'
import { code } from './encoding/records.ts'
import { cast } from './encoding/words.ts'
import { isWide, productBound } from './histogram/weights.ts'

/** A product of factors as SQL over codes: where it is not 0, and what it is there. */
interface MeasureSql {
  readonly where: string
  /** Empty for a plain count. */
  readonly value: string
  /** Whether sums of it need more than a double. */
  readonly wide: boolean
}

/** Rendered from our own query, never from anybody's text: integers and our names alone. */
export function measureSql(d: Dialect, factors: Term['factors'], u: Universe): MeasureSql {
  const bound = productBound(factors, u)
  // The product that is 0 everywhere: its other factors may be too large to multiply.
  if (bound === 0) return { where: 'false', value: '', wide: false }
  const parts = Object.entries(factors).map(([attribute, factor]) => {
    const at = u.index.get(attribute)!
    return { column: code(at), factor, table: factorTable(factor, u.attributes[at]!.size) }
  })
  const conditions = parts.map(({ column, table }) => among(d, column, table)).filter(Boolean)
  const values = parts.filter(({ table }) => !table.every((v) => v === 0 || v === 1))
  // A database may multiply where the condition fails, too: formulas only when nothing can overflow on the whole domain.
  const formulas = values.reduce((n, { factor, table }) => n * domainBound(factor, table), 1) <= 2 ** 53
  return {
    where: conditions.join(' AND ') || 'true',
    value: values.map(({ column, factor, table }) => valueSql(d, column, factor, table, formulas)).join(' * '),
    wide: isWide(bound),
  }
}

/** More runs of codes are looked up in a list: a condition of thousands is more than some databases compile. */
const mostRuns = 128

/** The codes where a table is not 0, as runs; empty for all of them. */
function among(d: Dialect, column: string, table: Float64Array): string {
  const runs: string[] = []
  const single: number[] = []
  for (let from = 0; from < table.length; from++) {
    if (table[from] === 0) continue
    let to = from
    while (to + 1 < table.length && table[to + 1] !== 0) to++
    if (from === 0 && to === table.length - 1) return ''
    if (from === to) single.push(from)
    else if (from === 0) runs.push(`${column} <= ${to}`)
    else if (to === table.length - 1) runs.push(`${column} >= ${from}`)
    else runs.push(`${column} BETWEEN ${from} AND ${to}`)
    from = to
  }
  if (runs.length > mostRuns)
    return `${d.element(
      Array.from(table, (v) => (v === 0 ? 0 : 1)),
      column,
    )} = 1`
  if (single.length > 0) runs.push(`${column} IN (${single.join(', ')})`)
  return runs.length === 0 ? 'false' : `(${runs.join(' OR ')})`
}

/** The most that a factor's formula can be on any code. */
const domainBound = (factor: Factor, table: Float64Array): number =>
  factor.kind === 'value'
    ? (Math.abs(factor.slope) * table.length + Math.abs(factor.shift)) ** factor.power
    : table.reduce((most, v) => Math.max(most, Math.abs(v)), 1)

/** The factor's value where it is not 0. */
function valueSql(d: Dialect, column: string, factor: Factor, table: Float64Array, formulas: boolean): string {
  if (factor.kind !== 'value' || !formulas) return d.element([...table], column)
  const linear = `(${factor.slope} * ${cast(column, 'BIGINT')} + (${factor.shift}))`
  return factor.power === 1 ? linear : `(${linear} * ${linear})`
}
