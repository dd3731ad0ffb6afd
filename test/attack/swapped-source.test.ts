import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { type AskOptions, beginEpoch, createLedgerFor, type Dataset, open } from '../../src/index.ts'

// The attack: the source is swapped while a dataset is open, and swapped back. Every answer must be about the data that
// the ledger is about, whatever the dataset has read in between.

const root = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let number = 0

const people = (count: number, from = 0) => Array.from({ length: count }, (_, i) => [from + i, 1] as const)
const csv = (rows: readonly (readonly [number, number])[]) => `id,n\n${rows.map((r) => r.join(',')).join('\n')}\n`
/** The same columns in another order; read by their old places, every n is a person's number. */
const turned = (rows: readonly (readonly [number, number])[]) =>
  `n,id\n${rows.map(([id, n]) => `${n},${id}`).join('\n')}\n`
/** The ledger's data, and others with nine times as many people. */
const [own, other] = [people(100), people(900, 1000)]

async function database(path: string, rows: readonly (readonly [number, number])[]): Promise<void> {
  rmSync(path, { force: true })
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE t AS SELECT * FROM (VALUES ${rows.map((r) => `(${r})`).join(', ')}) v(id, n)`)
  connection.closeSync()
  instance.closeSync()
}

class Scene {
  readonly dir = join(root, String(number++))
  readonly policy = this.at('reticent.yaml')

  constructor(source: string, unit = '{ column: id, rows: 1 }') {
    mkdirSync(this.dir)
    writeFileSync(
      this.policy,
      `dataset: people
source: { duckdb: ${source} }
privacy: { unit: ${unit}, neighbours: add-remove, epsilon: 100 }
attributes:
  n: { integer: [0, 5], closed: true }
ledger: { sqlite: people.ledger }
`,
    )
  }
  at(...names: string[]): string {
    return join(this.dir, ...names)
  }
  write(name: string, content: string | Uint8Array): void {
    writeFileSync(this.at(name), content)
  }
  link(name: string, to: string): void {
    rmSync(this.at(name), { force: true })
    symlinkSync(this.at(to), this.at(name))
  }
  async open(): Promise<Dataset> {
    await createLedgerFor(this.policy)
    return open(this.policy)
  }
}

/** How many people have n = 1. */
async function count(data: Dataset, options: AskOptions = { epsilon: '1' }): Promise<number> {
  const answer = await data.ask('SELECT COUNT(*) FROM people WHERE n = 1', options)
  if ('estimate' in answer && answer.estimate !== null) return answer.estimate
  throw new TypeError('one number is expected')
}
const refused = expect.objectContaining({ code: 'source-changed' })
/** Noise of scale 1 lies beyond 40 with a probability of 10^-17. */
const expectOwn = (estimate: number) => expect(Math.abs(estimate - 100)).toBeLessThan(40)

describe('swapped and swapped back, the source answers as before:', () => {
  test('a link, with at most one row of a person', async () => {
    const scene = new Scene('people.csv')
    scene.write('D.csv', csv(own))
    scene.write('X.csv', csv(other))
    scene.link('people.csv', 'D.csv')
    const data = await scene.open()
    expectOwn(await count(data))
    scene.link('people.csv', 'X.csv')
    await expect(count(data)).rejects.toThrow(refused)
    scene.link('people.csv', 'D.csv')
    expectOwn(await count(data))
    await data.close()
  })

  test('a link, first asked of when it leads elsewhere, through two datasets at once', async () => {
    const scene = new Scene('people.csv')
    scene.write('D.csv', csv(own))
    scene.write('X.csv', csv(other))
    scene.link('people.csv', 'D.csv')
    const [first, second] = [await scene.open(), await open(scene.policy)]
    expectOwn(await count(first))
    scene.link('people.csv', 'X.csv')
    await expect(count(second)).rejects.toThrow(refused)
    scene.link('people.csv', 'D.csv')
    expectOwn(await count(second))
    expectOwn(await count(first))
    await first.close()
    await second.close()
  })

  test('a DuckDB file renamed under an open dataset, and refinements of it', async () => {
    const scene = new Scene('people.duckdb, table: t', 'row')
    await database(scene.at('people.duckdb'), own)
    await database(scene.at('X.duckdb'), other)
    const first = await scene.open()
    await count(first, { within: 20 })
    const data = await open(scene.policy)
    const swap = () => {
      renameSync(scene.at('people.duckdb'), scene.at('away'))
      renameSync(scene.at('X.duckdb'), scene.at('people.duckdb'))
      renameSync(scene.at('away'), scene.at('X.duckdb'))
    }
    swap()
    await expect(count(data)).rejects.toThrow(refused)
    swap()
    expectOwn(await count(data))
    expectOwn(await count(data, { within: 1 }))
    await first.close()
    await data.close()
  })

  test('a log beside a DuckDB file', async () => {
    const scene = new Scene('people.duckdb, table: t', 'row')
    await database(scene.at('people.duckdb'), own)
    const data = await scene.open()
    expectOwn(await count(data))
    scene.write('people.duckdb.wal', 'not read')
    await expect(count(data)).rejects.toThrow()
    unlinkSync(scene.at('people.duckdb.wal'))
    expectOwn(await count(data))
    await data.close()
  })

  test('columns in another order', async () => {
    const scene = new Scene('people.csv', 'row')
    scene.write('people.csv', turned(other))
    const D = scene.at('D')
    scene.write('D', csv(own))
    scene.write('X', turned(other))
    copyFileSync(D, scene.at('people.csv'))
    await createLedgerFor(scene.policy)
    const data = await open(scene.policy)
    copyFileSync(scene.at('X'), scene.at('people.csv'))
    await expect(count(data)).rejects.toThrow(refused)
    copyFileSync(D, scene.at('people.csv'))
    expectOwn(await count(data))
    await data.close()
  })

  test('a compressed file behind a link whose target has no ending', async () => {
    const scene = new Scene('people.csv.gz')
    scene.write('D', gzipSync(csv(own)))
    scene.write('X', gzipSync(turned(other)))
    scene.link('people.csv.gz', 'D')
    const data = await scene.open()
    expectOwn(await count(data))
    scene.link('people.csv.gz', 'X')
    await expect(count(data)).rejects.toThrow(refused)
    scene.link('people.csv.gz', 'D')
    expectOwn(await count(data))
    await data.close()
  })

  test('a link to a folder in the middle of the path', async () => {
    const scene = new Scene('now/people.csv')
    for (const [folder, rows] of [
      ['monday', own],
      ['tuesday', other],
    ] as const) {
      mkdirSync(scene.at(folder))
      scene.write(join(folder, 'people.csv'), csv(rows))
    }
    scene.link('now', 'monday')
    const data = await scene.open()
    expectOwn(await count(data))
    scene.link('now', 'tuesday')
    await expect(count(data)).rejects.toThrow(refused)
    scene.link('now', 'monday')
    expectOwn(await count(data))
    await data.close()
  })

  test('a file added behind a glob', async () => {
    const scene = new Scene('"*.csv"')
    scene.write('D.csv', csv(own))
    const data = await scene.open()
    expectOwn(await count(data))
    scene.write('X.csv', csv(other))
    await expect(count(data)).rejects.toThrow(refused)
    unlinkSync(scene.at('X.csv'))
    expectOwn(await count(data))
    await data.close()
  })

  test('a file that was gone for a while', async () => {
    const scene = new Scene('people.csv')
    scene.write('people.csv', csv(own))
    const data = await scene.open()
    renameSync(scene.at('people.csv'), scene.at('away'))
    await expect(count(data)).rejects.toThrow(expect.objectContaining({ code: 'source-missing' }))
    renameSync(scene.at('away'), scene.at('people.csv'))
    expectOwn(await count(data))
    await data.close()
  })
})

test('a link that is moved to and fro all the time leads no answer astray', async () => {
  const scene = new Scene('people.csv')
  scene.write('D.csv', csv(own))
  scene.write('X.csv', turned(other))
  scene.link('people.csv', 'D.csv')
  const data = await scene.open()
  const script = `const { symlinkSync, renameSync } = require('node:fs')
    const still = new Int32Array(new SharedArrayBuffer(4))
    for (let i = 0; ; i++) {
      symlinkSync(['X.csv', 'D.csv'][i % 2], 'next')
      renameSync('next', 'people.csv')
      Atomics.wait(still, 0, 0, (i * 37) % 150)
    }`
  const mover = spawn(process.execPath, ['--eval', script], { cwd: scene.dir, stdio: 'ignore' })
  for (let i = 0; i < 8; i++) {
    const told = await count(data).catch((error) => error.code)
    if (told !== 'source-changed') expectOwn(told)
  }
  const gone = once(mover, 'exit')
  mover.kill()
  await gone
  scene.link('people.csv', 'D.csv')
  expectOwn(await count(data))
  await data.close()
})

test('with a new epoch about the other data, the old dataset answers nothing and a new one is about them', async () => {
  const scene = new Scene('people.csv')
  scene.write('people.csv', csv(own))
  const data = await scene.open()
  expectOwn(await count(data))
  scene.write('people.csv', csv(other))
  await beginEpoch(scene.policy)
  await expect(count(data)).rejects.toThrow(expect.objectContaining({ code: 'policy-changed' }))
  const next = await open(scene.policy)
  expect(Math.abs((await count(next)) - 900)).toBeLessThan(40)
  scene.write('people.csv', csv(own))
  await expect(count(next)).rejects.toThrow(refused)
  await expect(count(data)).rejects.toThrow(expect.objectContaining({ code: 'policy-changed' }))
  await data.close()
  await next.close()
})
