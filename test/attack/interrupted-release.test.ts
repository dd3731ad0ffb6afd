import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLedgerFor, type MarginalsOptions, open, type ReticentError, verifyLedger } from '../../src/index.ts'
import { toldUp } from '../../src/numeric/index.ts'

/** 600 people in three attributes of 2, 5 and 8 values. */
const csv = ['sex,state,age', ...Array.from({ length: 600 }, (_, i) => `${i % 2},${(i * i) % 5},${i % 8}`)].join('\n')
const policy = `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: replace-one, epsilon: 5 }
attributes:
  sex: { integer: [0, 1], closed: true }
  state: { integer: [0, 4], closed: true }
  age: { integer: [0, 7], closed: true }
ledger: { sqlite: people.ledger }
`

async function opened() {
  const dir = mkdtempSync(join(tmpdir(), 'reticent-'))
  writeFileSync(join(dir, 'people.csv'), csv)
  writeFileSync(join(dir, 'reticent.yaml'), policy)
  const file = join(dir, 'reticent.yaml')
  await createLedgerFor(file)
  return { file, data: await open(file) }
}

/** The error of a release of all pairs for ε = 1, and what the ledger says then. */
async function broken(options: Partial<MarginalsOptions>) {
  const { file, data } = await opened()
  const error = await data.releaseMarginals({ ways: 2, epsilon: 1, ...options }).then(
    () => expect.unreachable('it was to fail'),
    (caught: ReticentError) => caught,
  )
  const { spent } = await data.budget()
  const free = await data.releaseMarginals({ ways: 2, free: true }).catch(() => undefined)
  const [releases, verdict] = [await data.history(), await verifyLedger(file, error.facts.receipt as string)]
  await data.close()
  return { error, spent: spent.epsilon, free, releases, verdict }
}

describe.each(['laplace', 'two-phase', 'ireduct', 'iresamp'] as const)('a release by %s', (method) => {
  test('that is interrupted before it begins spends nothing', async () => {
    const { error, spent, releases } = await broken({ method, signal: AbortSignal.abort() })
    expect(error).toMatchObject({ code: 'interrupted', detail: 'Nothing is spent.', facts: { paid: 0 } })
    // The number of records is public here, and was read to begin with.
    expect([spent, releases.every(({ state }) => state === 'recorded')]).toEqual([0, true])
  })

  test('that is interrupted on its way costs what it has shown; that is free from then on', async () => {
    const stopped = new AbortController()
    const progress = () => stopped.abort()
    const { error, spent, free, releases, verdict } = await broken({ method, progress, signal: stopped.signal })
    expect(error).toMatchObject({ code: 'interrupted', hint: expect.stringContaining('--free') })
    expect(error.detail).toContain(`ε = ${toldUp(spent)} is spent, and what it bought is in the history; receipt`)
    expect(error.facts.paid).toBe(spent)
    expect(spent > 0 && spent <= 1).toBe(true)
    expect(releases.map(({ state }) => state)).toEqual(releases.map(() => 'recorded'))
    expect(verdict).toMatchObject({ ok: true, continues: true })
    expect(free).toMatchObject({ epsilon: 0, spent: { epsilon: spent } })
  })

  test('that fails by a mistake of ours tells what was paid, and nothing of the mistake', async () => {
    const progress = () => {
      throw new TypeError('person 12 earns 4711')
    }
    const { error, spent, free } = await broken({ method, progress })
    expect(error).toMatchObject({ code: 'failed-after-charge', facts: { paid: spent } })
    expect(error.message + error.detail + error.hint + JSON.stringify(error.facts)).not.toContain('4711')
    expect(free?.spent.epsilon).toBe(spent)
  })
})

test('a release that is refused has nothing to say about payments of its own', async () => {
  const { error, spent } = await broken({ epsilon: 6 })
  expect(error).toMatchObject({ code: 'budget-exceeded' })
  expect([spent, error.facts.paid]).toEqual([0, undefined])
})
