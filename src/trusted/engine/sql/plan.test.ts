import { expect, test } from 'vitest'
import { countAll, type LinearQuery, marginal } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { type Plan, plan } from './plan.ts'

const sizes = [101, 2, 4, 26, 29, 5, 5, 512, 4]
const u = universe(sizes.map((n, i) => attribute({ kind: 'integer', name: `a${i}`, low: 1, high: n, closed: true })))
const pairs = sizes.flatMap((_, i) => sizes.slice(0, i).map((_, j) => [`a${j}`, `a${i}`]))
const cells = (attributes: readonly number[]) => attributes.reduce((n, a) => n * sizes[a]!, 1)
const count = (...attributes: number[]): LinearQuery => ({
  ...countAll,
  terms: [
    {
      coefficient: 1,
      factors: Object.fromEntries(attributes.map((a) => [`a${a}`, { kind: 'interval', from: 0, to: 1 } as const])),
    },
  ],
})
/** How often each query is served. */
const served = (p: Plan, queries: number) => {
  const times = new Array<number>(queries).fill(0)
  for (const h of p.histograms) for (const set of h.sets) for (const q of set.queries) times[q]!++
  for (const scan of p.pushed) for (const { query } of scan.uses) times[query]!++
  return times
}

test('all 36 pairs of nine attributes need few scans, each of bounded size, and serve each query once', () => {
  const p = plan(
    pairs.map((pair) => marginal(pair)),
    u,
  )
  expect(p.pushed).toEqual([])
  expect(p.histograms.length).toBeLessThanOrEqual(12)
  expect(served(p, 36)).toEqual(new Array(36).fill(1))
  for (const h of p.histograms) {
    expect(cells(h.attributes)).toBeLessThanOrEqual(2 ** 17)
    for (const set of h.sets) expect(h.attributes).toEqual(expect.arrayContaining([...set.attributes]))
  }
})

test('where scans are cheap, sets are merged only as long as the cells are very few', () => {
  const queries = pairs.map((pair) => marginal(pair))
  const p = plan(queries, u, { isRemote: true, isCheap: true })
  expect(served(p, 36)).toEqual(new Array(36).fill(1))
  expect(p.histograms.length).toBeLessThanOrEqual(24)
  for (const h of p.histograms) if (h.sets.length > 1) expect(cells(h.attributes)).toBeLessThanOrEqual(2 ** 11)
})

test('one count over many cells is pushed down, thousands share histograms', () => {
  const alone = plan([count(0, 3, 7)], u)
  expect(alone.histograms).toEqual([])
  expect(alone.pushed).toHaveLength(1)
  const crowd = Array.from({ length: 2000 }, (_, i) =>
    count(...(pairs[i % 36]!.map((n) => u.index.get(n)!) as number[])),
  )
  const p = plan(crowd, u)
  expect(p.pushed).toEqual([])
  expect(p.histograms.length).toBeLessThanOrEqual(12)
  expect(served(p, 2000)).toEqual(new Array(2000).fill(1))
})

test('a single query is asked of its own attributes alone', () => {
  expect(plan([marginal(['a1', 'a2'])], u).histograms.map((h) => h.attributes)).toEqual([[1, 2]])
  expect(plan([countAll, marginal(['a1'])], u).histograms.map((h) => h.attributes)).toEqual([[1]])
})

test('equal products of factors are added up once, 32 to a scan', () => {
  const same = plan([count(0, 3, 7), { ...count(0, 3, 7), step: { num: 1n, den: 2n } }], u)
  expect(same.pushed).toHaveLength(1)
  expect(same.pushed[0]!.measures).toHaveLength(1)
  const different = Array.from({ length: 70 }, (_, i): LinearQuery => {
    const factors = {
      a0: { kind: 'interval', from: i, to: i },
      a3: { kind: 'set', codes: [1] },
      a7: { kind: 'set', codes: [i] },
    } as const
    return { ...countAll, terms: [{ coefficient: 1, factors }] }
  })
  const p = plan(different, u)
  expect(p.pushed.map((s) => s.measures.length)).toEqual([32, 32, 6])
  expect(served(p, 70)).toEqual(new Array(70).fill(1))
})

test('answers that do not fit in memory together are refused', () => {
  const large = marginal(['a0', 'a3', 'a4', 'a7'])
  expect(() => plan([large], u)).not.toThrow()
  expect(() => plan([large, large], u)).toThrow(/cells together/)
})

test('of records that are far away only counts come, however many marginals there are', () => {
  const wide = universe(
    Array.from({ length: 40 }, (_, i) => attribute({ kind: 'integer', name: `w${i}`, low: 1, high: 3, closed: true })),
  )
  const names = wide.attributes.map(({ name }) => name)
  const all = names.flatMap((a, i) => names.slice(0, i).map((b) => marginal([b, a])))
  expect(plan(all, wide).passes).not.toEqual([])
  const p = plan(all, wide, { isRemote: true })
  expect([p.passes, p.pushed]).toEqual([[], []])
  expect(served(p, all.length)).toEqual(new Array(all.length).fill(1))
  expect(p.histograms.length).toBeLessThan(all.length / 4)
})
