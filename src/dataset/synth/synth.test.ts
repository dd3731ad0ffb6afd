import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLedgerFor, open } from '../index.ts'

const rows = Array.from({ length: 2000 }, (_, i) => `${['a', 'b', 'c'][i % 3]},${i % 5},${i % 7 < 2}`)
const policy = (privacy: string) => `dataset: small
source: { duckdb: data.csv }
privacy: { unit: row, ${privacy} }
attributes:
  kind: { values: [a, b, c], closed: true }
  size: { integer: [0, 4] }
  flag: { boolean: true, closed: true }
ledger: { sqlite: small.ledger }
`
async function opened(privacy: string, change = (text: string) => text) {
  const dir = mkdtempSync(join(tmpdir(), 'reticent-synth-'))
  writeFileSync(join(dir, 'data.csv'), ['kind,size,flag', ...rows].join('\n'))
  const file = join(dir, 'reticent.yaml')
  writeFileSync(file, change(policy(privacy)))
  await createLedgerFor(file)
  return open(file)
}

test.each([
  ['plain ε', 'neighbours: add-remove, epsilon: 3', 'bought'],
  ['a public number of records', 'neighbours: replace-one, epsilon: 3', 'public'],
  ['δ', 'neighbours: add-remove, epsilon: 3, delta: 1.0e-6', 'bought'],
])('a synthetic table costs what it says, with %s', async (_, privacy, from) => {
  const data = await opened(privacy)
  try {
    const options = { epsilon: 1, method: 'independent', check: 0.5 } as const
    const plan = await data.planSynthesis({ ...options, records: 2000 })
    expect(plan).toMatchObject({
      affordable: true,
      records: { from },
      check: { epsilon: expect.closeTo(0.5, 6), pairs: 3 },
    })
    expect(plan.steps.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
    expect((await data.budget()).spent.epsilon).toBe(0)
    const made = await data.synthesize(options)
    // Prices are rounded up to whole units of 10^-12, and shares of them down.
    expect(made.cost.epsilon).toBeLessThanOrEqual(plan.cost.epsilon)
    expect(made.cost.epsilon).toBeGreaterThan(plan.cost.epsilon - 1e-6)
    expect((await data.budget()).spent.epsilon).toBeLessThanOrEqual(plan.cost.epsilon)
    expect(made.rows.map(({ length }) => length)).toEqual(made.rows.map(() => Math.round(made.model.records)))
    expect(made.records.from).toBe(from)
    expect(made.check!.pairs.map(({ attributes }) => attributes.join())).toEqual([
      'kind,size',
      'kind,flag',
      'size,flag',
    ])
    // The columns of the data are independent by construction, but for whole periods: what is left is noise and chance.
    expect(made.check!.variation).toBeLessThan(0.1)
    await expect(data.synthesize({ epsilon: 3 })).rejects.toMatchObject({ code: 'budget-exceeded' })
  } finally {
    await data.close()
  }
})

test('an attribute with more values than records is advised against, before anything is spent', async () => {
  const data = await opened('neighbours: add-remove, epsilon: 9', (text) => text.replace('[0, 4]', '[0, 20000]'))
  try {
    const asked = { epsilon: 1, method: 'independent' } as const
    const advice = expect.stringMatching(/^size has 20,002 values.*bins/)
    expect((await data.planSynthesis(asked)).warnings).toEqual([advice])
    expect((await data.planSynthesis({ ...asked, records: 50_000 })).warnings).toEqual([])
    expect((await data.synthesize(asked)).warnings).toEqual([expect.stringContaining('more than there are records')])
  } finally {
    await data.close()
  }
})

test('bought by maximum entropy, it says how near its fit is to the best one, and with which noise it was bought', async () => {
  const data = await opened('neighbours: add-remove, epsilon: 3')
  try {
    const asked = { epsilon: 1, method: 'maxent', ways: 1 } as const
    const planned = (await data.planSynthesis({ ...asked, records: 2000 })).steps[0]!.deviation!
    const { parameters, steps, free } = await data.synthesize(asked)
    expect(free).toBeUndefined()
    // Three one-way tables of 3, 6 and 2 cells. (`size` has one for everything else.)
    expect(parameters).toMatchObject({ ways: 1, solver: 'exact', answers: 11 })
    expect(parameters.alpha).toBeGreaterThan(0)
    expect(parameters.gap).toBeLessThan(1e-4)
    // The scale is 3: planned and bought alike, up to the grid of scales.
    expect(steps[0]!.deviation![0] / planned[0]).toBeCloseTo(1, 6)
  } finally {
    await data.close()
  }
})

test('a share of the price buys one-way marginals for the prior of maximum entropy, as planned, and the rest what it fits', async () => {
  const data = await opened('neighbours: add-remove, epsilon: 3')
  try {
    const asked = { epsilon: 1, method: 'maxent', ways: 2, priorShare: 0.25 } as const
    const { steps: planned } = await data.planSynthesis({ ...asked, records: 2000 })
    const { steps, cost } = await data.synthesize(asked)
    expect(steps.map(({ name, share, count }) => [name, share, count])).toEqual([
      ['1-way marginals by laplace', 0.25, 3],
      ['2-way marginals by laplace', 0.75, 3],
    ])
    for (const [i, step] of steps.entries()) expect(step.deviation![0] / planned[i]!.deviation![0]).toBeCloseTo(1, 6)
    // Three tables for a quarter of ε: noise of scale 12, and of scale 4 for three quarters.
    expect(steps[0]!.deviation![0] / steps[1]!.deviation![0]).toBeCloseTo(3, 1)
    expect(cost.epsilon).toBeCloseTo(1, 3)
    const pairs = { epsilon: 1, method: 'pairs', priorShare: 0.25 } as const
    await expect(data.synthesize(pairs)).rejects.toThrow('takes no prior share')
    await expect(data.synthesize({ ...asked, priorShare: 1 })).rejects.toThrow('must be below 1')
  } finally {
    await data.close()
  }
})
