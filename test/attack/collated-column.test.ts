import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { marginal } from '../../src/query/index.ts'
import { attribute, type Unit, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { open } from '../../src/trusted/exact/open.ts'

// The attack: a table of DuckDB's, or an owner's view, whose texts have a collation. A GROUP BY takes 'a' and 'A' for one value, the one that
// comes first, so that a single record 'A' in front would move all others from one cell to another; and 'bob' and 'Bob' for one
// person, whose records would keep each other out.

const folder = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let tables = 0
async function made(rows: readonly (readonly [person: string, letter: string])[]): Promise<string> {
  const path = join(folder, `${tables++}.duckdb`)
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  const values = rows.map(([person, letter]) => `('${person}', '${letter}')`)
  await connection.run(`CREATE TABLE t (id VARCHAR COLLATE NOCASE, s VARCHAR COLLATE NOCASE);
    INSERT INTO t VALUES ${values.join(', ')}`)
  connection.closeSync()
  instance.closeSync()
  return path
}

const u = universe([attribute({ kind: 'values', name: 's', values: ['a', 'A'], other: false, closed: true })])

async function counts(path: string, unit: Unit, sql?: string): Promise<number[]> {
  const engine = await openEngine({
    source: { kind: 'duckdb', path, sql },
    universe: u,
    unit,
    key: new Uint8Array(32),
  })
  try {
    const [answer] = await (await engine.snapshot()).answer([marginal(['s'])])
    return Array.from(open(answer!), Number)
  } finally {
    await engine.close()
  }
}

const many = Array.from({ length: 9 }, (_, i) => [`p${i}`, 'a'] as const)

describe.each([
  ['a table', undefined],
  ['an owner’s view', 'SELECT id, s COLLATE NOCASE.NOACCENT AS s FROM t'],
])('in %s with a collation', (_, sql) => {
  test('one record moves no other', async () => {
    expect(await counts(await made(many), { kind: 'row' }, sql)).toEqual([9, 0])
    expect(await counts(await made([['q', 'A'], ...many]), { kind: 'row' }, sql)).toEqual([9, 1])
  })
})

test('people whose names a collation takes for equal are two', async () => {
  const unit = { kind: 'column', column: 'id', rows: 1 } as const
  const rows = [
    ['bob', 'a'],
    ['Bob', 'A'],
  ] as const
  expect(await counts(await made(rows), unit)).toEqual([1, 1])
})
