import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job } from '../../src/client/index.ts'
import { Serving } from '../support/serving.ts'

const s = new Serving()
let bob = ''

beforeAll(async () => {
  await s.table('people', (policy) =>
    policy.replace('epsilon: 1.0', 'epsilon: 100\n  analysts: { bob: 50 }').replace(/ {2}income.*\n/, ''),
  )
  bob = await s.token('analyst', 'bob')
  await s.start()
})
afterAll(() => s.stop())

const people = (token: string) => s.client(token).dataset('people')

async function followed(token: string, id: string): Promise<Job[]> {
  const seen: Job[] = []
  for await (const job of people(token).follow(id)) seen.push(job)
  return seen
}

test('a tree, and a synthetic table from what was released, for nothing', async () => {
  // The table has few records: with much noise there would often be none of them.
  const tree = await people(bob).startJob({ kind: 'tree', options: { of: ['age'], epsilon: '20' } })
  expect((await followed(bob, tree.id)).at(-1)).toMatchObject({
    state: 'done',
    cost: { epsilon: expect.closeTo(20, 6) },
    files: [],
  })
  const synth = { kind: 'synth', options: { free: true, rows: 50 } } as const
  expect(await people(bob).planJob(synth)).toMatchObject({ free: true })
  const job = await people(bob).startJob(synth)
  const done = (await followed(bob, job.id)).at(-1)!
  expect(done).toMatchObject({ state: 'done', cost: { epsilon: 0 } })
  expect(done.files.map(({ name }) => name)).toContain('synthetic.csv')
  const { tables } = await people(bob).tables(job.id)
  expect(tables[0]!.counts.reduce((a, b) => a + b)).toBe(50)
})
