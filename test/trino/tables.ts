import { openEngine } from '../../src/trusted/engine/index.ts'
import type { MakeEngine } from '../contract/engine.ts'
import type { Table } from '../contract/engine-table.ts'
import type { TrinoCluster } from '../support/servers/trino.ts'

/** Trino's types for DuckDB's, in which the contract writes its tables. */
const types: [RegExp, string][] = [
  [/^UTINYINT$/, 'SMALLINT'],
  [/^UBIGINT$/, 'DECIMAL(20, 0)'],
  [/^HUGEINT$/, 'DECIMAL(38, 0)'],
  [/^FLOAT$/, 'REAL'],
  [/^TIMESTAMP$/, 'TIMESTAMP(6)'],
  [/^TIMESTAMPTZ$/, 'TIMESTAMP(6) WITH TIME ZONE'],
  [/^TIMESTAMP_NS$/, 'TIMESTAMP(9)'],
  [/^ENUM\(/, 'VARCHAR'],
]
/** Iceberg has fewer. */
const inIceberg: [RegExp, string][] = [
  [/^(U?TINYINT)$/, 'INTEGER'],
  [/^TIMESTAMP_NS$/, 'TIMESTAMP(6)'],
]

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
const name = (text: string) => `"${text.replaceAll('"', '""')}"`

/** A value as text that Trino casts to the type of its column. */
function literal(value: Table['rows'][number][string], type: string): string {
  if (value === null || value === undefined) return 'NULL'
  if (!(value instanceof Date)) return quote(String(value))
  const [day, time] = value.toISOString().split('T') as [string, string]
  if (type === 'DATE') return quote(day)
  return quote(`${day} ${time.replace('Z', '')}${type.endsWith('ZONE') ? ' UTC' : ''}`)
}

/** Statements that make a table; long ones are refused by Trino. */
export function* creation(at: string, { columns, rows }: Table, isIceberg: boolean): Generator<string> {
  const list = Object.entries(columns).map(([column, type]) => {
    const known = [...(isIceberg ? inIceberg : []), ...types]
    return [column, known.find(([pattern]) => pattern.test(type))?.[1] ?? type] as const
  })
  yield `CREATE TABLE ${at} (${list.map(([c, type]) => `${name(c)} ${type}`).join(', ')})`
  yield* insertion(at, list, rows)
}

/** Planning takes longest, so that what stands in every column is written once. */
function* insertion(at: string, list: readonly (readonly [string, string])[], rows: Table['rows']): Generator<string> {
  const isRepeated = rows.every((row) => list.every(([c]) => row[c] === row[list[0]![0]]))
  const given = isRepeated ? list.slice(0, 1) : list
  for (let from = 0; from < rows.length; from += 500) {
    const values = rows
      .slice(from, from + 500)
      .map((row) => `(${given.map(([c, type]) => `CAST(${literal(row[c], type)} AS VARCHAR)`).join(', ')})`)
    const casts = list.map(([c, type]) => `CAST(${name(isRepeated ? given[0]![0] : c)} AS ${type})`)
    const names = given.map(([c]) => name(c))
    yield `INSERT INTO ${at} SELECT ${casts.join(', ')} FROM (VALUES ${values.join(', ')}) AS given (${names.join(', ')})`
  }
}

let number = 0

/** Puts the contract's tables into a catalog. */
export const through =
  ({ url, run }: TrinoCluster, catalog: 'memory' | 'lake'): MakeEngine =>
  async (table, setting) => {
    const isIceberg = catalog === 'lake'
    const own = `t${process.pid}_${number++}`
    const at = `${catalog}.contract.${own}`
    for (const sql of creation(at, table, isIceberg)) await run(sql)
    const source = { kind: 'trino', url, catalog, schema: 'contract', table: own } as const
    const engine = await openEngine({ source, ...setting })
    const replace = async (other: Table) => {
      if (isIceberg) {
        const [row] = await run(`SELECT snapshot_id FROM ${catalog}.contract."${own}$refs"`)
        await run(`DELETE FROM ${at}`)
        for (const sql of [...creation(at, other, true)].slice(1)) await run(sql)
        return async () => void (await run(`ALTER TABLE ${at} EXECUTE rollback_to_snapshot(${row![0]})`))
      }
      await run(`ALTER TABLE ${at} RENAME TO ${at}away`)
      for (const sql of creation(at, other, false)) await run(sql)
      return async () => {
        await run(`DROP TABLE ${at}`)
        await run(`ALTER TABLE ${at}away RENAME TO ${at}`)
      }
    }
    return { engine, replace }
  }
