import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { memoryLedger } from '../../src/evaluation/index.ts'
import { type Answer, type Dataset, open } from '../../src/index.ts'
import { rational } from '../../src/numeric/index.ts'
import { countAll } from '../../src/query/index.ts'
import type { Ledger } from '../../src/trusted/ledger/index.ts'
import { asking } from '../support/asking.ts'
import { Workspace } from '../system/workspace.ts'

const count = 'SELECT COUNT(*) FROM people'
const opened: Dataset[] = []
afterAll(() => Promise.all(opened.map((data) => data.close())))

/** Several processes, as far as the ledger can tell: each has its own file handle, book and engine. */
async function crowd(size: number): Promise<Dataset[]> {
  const place = new Workspace().withLedger()
  const all = await Promise.all(Array.from({ length: size }, () => open(place.path('reticent.yaml'))))
  opened.push(...all)
  return all
}
const kinds = (answers: readonly Answer[]) => answers.map(({ kind }) => kind).sort()
const onePaid = (kind: string) => [...Array<string>(7).fill('free'), kind].sort()

test('eight identical asks at once cost one purchase, first and sharper', async () => {
  const crew = await crowd(8)
  for (const [within, kind] of [
    [40, 'fresh'],
    [30, 'refined'],
    [20, 'refined'],
  ] as const) {
    const answers = await Promise.all(crew.map((data) => data.ask(count, { within })))
    expect(kinds(answers)).toEqual(onePaid(kind))
    // One purchase told them all; from the history it comes out the same but for rounding.
    expect(new Set(answers.map((answer) => Math.round((answer as { estimate: number }).estimate))).size).toBe(1)
  }
})

test('so they do in one process', async () => {
  const [data] = await crowd(1)
  for (const [within, kind] of [
    [40, 'fresh'],
    [30, 'refined'],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => data!.ask(count, { within })))
    expect(kinds(answers)).toEqual(onePaid(kind))
  }
  const average = 'SELECT AVG(age) FROM people'
  const averages = await Promise.all(Array.from({ length: 4 }, () => data!.ask(average, { within: 20 })))
  expect(kinds(averages)).toEqual(['free', 'free', 'free', 'fresh'])
})

test('different asks at once are all answered', async () => {
  const crew = await crowd(4)
  const answers = await Promise.all(
    crew.flatMap((data, i) => [
      data.ask(`${count} WHERE age > ${20 + i}`, { within: 60 }),
      data.ask(count, { epsilon: 0.01 }),
      data.ask(count, { within: 400 - 60 * i }),
    ]),
  )
  expect(answers).toHaveLength(12)
})

/** Somebody has paid for a count and not yet recorded it: `age` milliseconds ago. */
async function underWay(age: number) {
  let ledger: Ledger | undefined
  const clock = () => new Date(Date.now() - age)
  const { put, book } = await asking({
    keep: async (create, secret) => {
      ledger = await memoryLedger(create, secret, clock)
      return ledger
    },
  })
  const law = { kind: 'laplace', scale: rational(2) } as const
  const purchases = [{ query: countAll, law }]
  const stored = await ledger!.append({ kind: 'reserve', analyst: null, statement: null, purchases })
  const record = () => ledger!.append({ kind: 'record', reserve: stored!.seq, values: [Float64Array.of(500)] })
  return { put, book, record }
}

test('a purchase of the same that is under way is waited for', async () => {
  const { put, record } = await underWay(0)
  const [answer] = await Promise.all([put(count, { within: 20 }), record()])
  expect(answer).toMatchObject({ kind: 'free', estimate: 500 })
})

test('one that never came to its record is not', async () => {
  const { put } = await underWay(60_000)
  expect(await put(count, { within: 20 })).toMatchObject({ kind: 'fresh' })
})

test('a free answer does not need the data: neither one asked for within, nor the answer of a plan', async () => {
  const place = new Workspace().withLedger()
  const data = await open(place.path('reticent.yaml'))
  opened.push(data)
  const { estimate } = (await data.ask(count, { within: 40 })) as { estimate: number }
  rmSync(place.path('people.csv'))
  const again = await open(place.path('reticent.yaml'))
  opened.push(again)
  for (const how of [{ within: 40 }, { relative: 0.9, floor: 100 }, { free: true }])
    expect(await again.ask(count, how)).toMatchObject({ kind: 'free', estimate: expect.closeTo(estimate) })
  await expect(again.ask(count, { within: 20 })).rejects.toMatchObject({ code: 'source-missing' })
})
