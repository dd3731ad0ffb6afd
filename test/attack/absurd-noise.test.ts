import { afterAll, describe, expect, test } from 'vitest'
import { type AskOptions, type Dataset, open } from '../../src/index.ts'
import { policyText, Workspace } from '../system/workspace.ts'

const opened: Dataset[] = []
afterAll(() => Promise.all(opened.map((data) => data.close())))
async function fresh(privacy: string): Promise<Dataset> {
  const place = new Workspace({ 'reticent.yaml': policyText.replace('  epsilon: 1.0', privacy) }).withLedger()
  const data = await open(place.path('reticent.yaml'))
  opened.push(data)
  return data
}

const count = 'SELECT COUNT(*) FROM people'
const sums = 'SELECT SUM(income), COUNT(*) FROM people'
const average = 'SELECT AVG(income) FROM people'
const absurd: [string, AskOptions][] = [
  [count, { within: 1e30 }],
  [count, { within: '1e400' }],
  [count, { within: 1e-30 }],
  [sums, { within: 1e18 }],
  [`${count} WHERE age > 30`, { within: 5e16 }],
  [average, { within: 1e-25 }],
  [average, { within: 100, floor: 1e300 }],
  [count, { relative: 0.1, floor: 1e300 }],
  [count, { relative: 1e-30, floor: 100 }],
  [count, { relative: 1e300, floor: 1 }],
  [count, { within: 100, confidence: 0.999999999999 }],
]
/** Where δ counts, even these buy noise in range: a unit of ρ. */
const absurdPrices: [string, AskOptions][] = [
  [count, { epsilon: 1e-20 }],
  [count, { epsilon: '1e-400' }],
  [sums, { epsilon: 1e-18 }],
]

describe.each(['  epsilon: 1.0', '  epsilon: 1.0\n  delta: 0.000001'])('with %j', (privacy) => {
  test('noise that no estimate could carry is not sold, and the range is said', async () => {
    const data = await fresh(privacy)
    const isPure = !privacy.includes('delta')
    for (const [sql, how] of [...absurd, ...(isPure ? absurdPrices : [])])
      for (const work of [data.ask(sql, how), data.plan(sql, how)])
        await expect(work, `${sql} ${JSON.stringify(how)}`).rejects.toMatchObject({ code: 'usage' })
    const tree = { of: ['age'], epsilon: 1e-20 }
    if (isPure)
      for (const work of [data.releaseTree(tree), data.planTree(tree)])
        await expect(work).rejects.toMatchObject({ code: 'usage' })
    // An average is in its domain, which tells it more precisely than this.
    expect(await data.ask(average, { within: 1e25 })).toMatchObject({ kind: 'free', interval: [0, 200_000] })
    expect((await data.budget()).purchases).toBe(0)
  })

  test('the range that is said can be asked for', async () => {
    const data = await fresh(privacy)
    const range = async (sql: string, how: AskOptions) =>
      (await data.ask(sql, how).catch((error) => error)).facts as { least: number; most: number }
    for (const sql of [count, average]) {
      const { least, most } = await range(sql, { within: 1e-30 })
      expect(await data.ask(sql, { within: most })).toHaveProperty('estimate')
      // What an average costs is known once its records have been counted.
      await data.ask(sql, { epsilon: 0.3 })
      expect(await data.plan(sql, { within: least })).toMatchObject({ affordable: false })
    }
    if (privacy.includes('delta')) return
    const { least } = await range(count, { epsilon: 1e-20 })
    expect(await data.ask(count, { epsilon: least })).toHaveProperty('estimate')
  })
})

test('a large price is refused with the range where the cap would allow it', async () => {
  const data = await fresh('  epsilon: 1000')
  expect(await data.ask(count, { epsilon: 600 })).toMatchObject({ kind: 'fresh' })
  // Made sharper for as much again, it would have no noise to speak of.
  expect(await data.ask(count, { epsilon: 400 })).toHaveProperty('estimate')
})
