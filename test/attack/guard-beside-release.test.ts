import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { guardsFor } from '../../src/answer/guard/guard.ts'
import { seededBits } from '../../src/evaluation/index.ts'
import { createLedgerFor } from '../../src/index.ts'
import { rational } from '../../src/numeric/index.ts'
import { countAll, type LinearQuery } from '../../src/query/index.ts'
import { attribute, type Policy, universe } from '../../src/schema/index.ts'
import type { JobRequest } from '../../src/server/api/index.ts'
import { ServedDataset } from '../../src/server/datasets/served-dataset.ts'
import { Jobs } from '../../src/server/jobs/jobs.ts'
import type { Approve } from '../../src/trusted/meter/index.ts'
import { metered, promise } from '../support/metered.ts'

// The attack: a release of many tables is under way, and its reservation could pay for one side of a guarded difference many times over. So an
// analyst who buys this side tells nothing that the release might not tell. But the release has shown the other side only.

const over = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 9, closed: false }),
  attribute({ kind: 'integer', name: 'shoe', low: 0, high: 99, closed: false }),
])
const ages = (to: number, more: LinearQuery['terms'][number]['factors'] = {}): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from: 0, to }, ...more } }],
})
const guards = [
  { query: 'SELECT COUNT(*) FROM people WHERE age = 5', within: rational(10), confidence: rational(9, 10) },
]
const privacy = { ...promise, epsilon: rational(100) }
const nobody = { analyst: null, statement: null }

test('who sells both lets only one of them be told', async () => {
  const bits = seededBits(3)
  let approve: Approve = () => {}
  const { meter, book } = await metered({ privacy, over, rows: [], approve: (charges, run) => approve(charges, run) })
  const policy = { dataset: 'people', universe: over, guards, privacy } as unknown as Policy
  approve = await guardsFor(policy, book, () => bits.uint32() / 2 ** 32)
  // Up to four, and nearly all of them: everybody has a shoe.
  const nearly = ages(4, { shoe: { kind: 'interval', from: 0, to: 99 } })
  const queries = [nearly, ...Array.from({ length: 60 }, () => ages(5))]
  const grid = { first: rational(1000), step: rational(999), count: 2 }
  const run = await meter.openRun({ queries, grid, epsilon: rational(2), ...nobody })
  const charges = [{ query: ages(5), law: { kind: 'laplace', scale: rational(2) } as const }]
  await meter.measure({ charges, ...nobody })
  expect(() => run.lower(0, 1)).toThrow(expect.objectContaining({ code: 'guarded' }))
})

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

test.each([true, false])('in a server one thread sells both where there are guards: %s', async (isGuarded) => {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-guard-release-'))
  const file = join(folder, 'reticent.yaml')
  writeFileSync(join(folder, 'people.csv'), 'age,shoe\n5,40\n')
  const guard = '{ query: "SELECT COUNT(*) FROM people WHERE age = 5", within: 10, confidence: 0.9 }'
  writeFileSync(
    file,
    `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: add-remove, epsilon: 1 }
attributes: { age: { integer: [0, 9] }, shoe: { integer: [0, 99] } }
guards: [${isGuarded ? guard : ''}]
ledger: { sqlite: people.ledger }
`,
  )
  await createLedgerFor(file)
  const dataset = await ServedDataset.open(file)
  const jobs = new Jobs(dataset)
  closing.push(
    () => dataset.close(),
    () => jobs.close(AbortSignal.timeout(1000)),
  )
  const request: JobRequest = { kind: 'marginals', options: { of: [['shoe']], epsilon: 0.01, method: 'laplace' } }
  const { id } = jobs.start(request, { dataset: 'people', role: 'owner', name: null, tokenId: null }, null)
  let isSeen = false
  while (jobs.get(id).ended === null) {
    isSeen ||= dataset.buying.pending > 0
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(jobs.get(id)).toMatchObject({ state: 'done' })
  expect(isSeen).toBe(isGuarded)
})
