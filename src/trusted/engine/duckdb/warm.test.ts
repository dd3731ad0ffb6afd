import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { countAll, type LinearQuery, marginal } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { open } from '../../exact/open.ts'
import { type Session, SqlEngine } from '../sql/index.ts'
import { duckdbDatabase } from './database.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-warm-'))
afterAll(() => rmSync(folder, { recursive: true }))

const people = universe([
  attribute({ kind: 'values', name: 'sex', values: ['f', 'm'], other: false, closed: false }),
  attribute({ kind: 'integer', name: 'age', low: 0, high: 99, closed: false }),
  attribute({ kind: 'values', name: 'town', values: ['A', 'B', 'C'], other: true, closed: false }),
])
const line = (i: number) => `${['f', 'm', ''][i % 3]},${(i * 7) % 110},${['A', 'B', 'C', 'D'][i % 4]}`
const table = (rows: number) => `sex,age,town\n${Array.from({ length: rows }, (_, i) => line(i)).join('\n')}\n`
const path = join(folder, 'people.csv')
const write = (text: string) => writeFileSync(path, text)

const count = (factors: LinearQuery['terms'][number]['factors']): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors }],
})
const young = count({ age: { kind: 'interval', from: 0, to: 30 } })
const women = count({ sex: { kind: 'set', codes: [0] }, age: { kind: 'interval', from: 5, to: 60 } })

/** An engine, and all statements that its sessions run. */
function engineOf({ warm = false, isFull = false } = {}) {
  const statements: string[] = []
  const real = duckdbDatabase({ kind: 'duckdb', path })
  let digests = 0
  const database: typeof real = {
    ...real,
    async open(look) {
      const session = await real.open(look)
      const heard = (sql: string) => {
        statements.push(sql)
        return sql
      }
      const listening: Session = {
        ...session,
        rows: (sql, visit) => session.rows(heard(sql), visit),
        chunks: (sql, visit, all) => session.chunks(heard(sql), visit, all),
        keep: (name, sql) => session.keep(name, isFull ? 'no space left' : heard(sql)),
      }
      return listening
    },
    digest(...given) {
      digests++
      return real.digest(...given)
    },
  }
  const engine = new SqlEngine(database, { universe: people, unit: { kind: 'row' }, key: new Uint8Array(32), warm })
  const ask = async (...queries: LinearQuery[]) =>
    (await (await engine.snapshot()).answer(queries)).map((answer) => [...(open(answer) as Float64Array)])
  const readsFiles = () => statements.splice(0).some((sql) => !/FROM temp\.main\.warm\b/.test(sql))
  return { engine, ask, statements, readsFiles, digests: () => digests }
}

test('what is asked about again is answered from kept codes, and the same', async () => {
  write(table(1000))
  const { engine, ask, readsFiles } = engineOf()
  const first = await ask(young)
  expect(readsFiles()).toBe(true)
  // Once more over the same attribute: now its codes are made, once.
  expect(await ask(young)).toEqual(first)
  expect(readsFiles()).toBe(true)
  expect(await ask(young)).toEqual(first)
  expect(readsFiles()).toBe(false)
  // Another attribute is read with its question, then kept beside the first.
  const both = await ask(women)
  expect(readsFiles()).toBe(true)
  await ask(women)
  readsFiles()
  expect(await ask(women)).toEqual(both)
  expect(await ask(young)).toEqual(first)
  expect(await ask(marginal(['sex', 'age']))).toHaveLength(1)
  expect(readsFiles()).toBe(false)
  await engine.close()
})

test('a warm engine reads once, before the first question or with it', async () => {
  write(table(500))
  const cold = engineOf()
  const expected = [await cold.ask(young), await cold.ask(women), await cold.ask(marginal(['sex', 'town']))]
  await cold.engine.close()
  const { engine, ask, readsFiles } = engineOf({ warm: true })
  await (await engine.snapshot()).warm()
  expect(readsFiles()).toBe(true)
  expect([await ask(young), await ask(women), await ask(marginal(['sex', 'town']))]).toEqual(expected)
  expect(readsFiles()).toBe(false)
  await engine.close()
})

test('the same attributes are counted once, and every asker has answers of its own', async () => {
  write(table(500))
  const { engine, ask, statements } = engineOf({ warm: true })
  const [first] = await (await engine.snapshot()).answer([marginal(['sex', 'town'])])
  const counts = [...(open(first!) as Float64Array)]
  statements.splice(0)
  // Whoever changes an answer changes nothing for others.
  ;(open(first!) as Float64Array).fill(-1)
  expect(await ask(marginal(['sex', 'town']))).toEqual([counts])
  expect(await ask(count({ sex: { kind: 'set', codes: [1] }, town: { kind: 'set', codes: [0] } }))).toEqual([
    [counts[5]],
  ])
  expect(statements).toEqual([])
  await engine.close()
})

test('kept codes never outlive what the file looked like', async () => {
  write(table(300))
  const { engine, ask } = engineOf({ warm: true })
  const [before] = await ask(young)
  const snapshot = await engine.snapshot()
  write(table(200))
  await expect(snapshot.answer([young])).rejects.toThrow(expect.objectContaining({ code: 'source-changed' }))
  const [after] = await ask(young)
  expect(after![0]).toBeLessThan(before![0]!)
  // Nor does the old one answer when the file is as before.
  write(table(300))
  await expect(snapshot.answer([young])).rejects.toThrow(expect.objectContaining({ code: 'source-changed' }))
  expect(await ask(young)).toEqual([before])
  await engine.close()
})

test('a file that was read in full is not read again, unless it had just been changed', async () => {
  write(table(100))
  const hasty = engineOf()
  const full = await (await hasty.engine.snapshot()).full()
  expect(await (await hasty.engine.snapshot()).full()).toBe(full)
  // It might be written once more within the same tick of the clock.
  expect(hasty.digests()).toBe(2)
  await hasty.engine.close()

  await new Promise((resume) => setTimeout(resume, 3100))
  const { engine, digests, readsFiles } = engineOf()
  expect(await (await engine.snapshot()).full()).toBe(full)
  readsFiles()
  expect(await (await engine.snapshot()).full()).toBe(full)
  expect(digests()).toBe(1)
  expect(readsFiles()).toBe(false)
  // As many bytes, and the time of writing set back: the time of change tells.
  const { mtime, atime } = statSync(path)
  write(readFileSync(path, 'utf8').replace('f,0,A', 'm,0,A'))
  utimesSync(path, atime, mtime)
  expect(await (await engine.snapshot()).full()).not.toBe(full)
  expect(digests()).toBe(2)
  await engine.close()
})

test('where codes cannot be kept, questions are answered all the same', async () => {
  write(table(50))
  const { engine, ask, readsFiles } = engineOf({ warm: true, isFull: true })
  const first = await ask(women)
  expect(await ask(women)).toEqual(first)
  expect(readsFiles()).toBe(true)
  await engine.close()
})
