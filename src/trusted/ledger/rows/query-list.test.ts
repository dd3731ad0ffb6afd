import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rational } from '../../../numeric/index.ts'
import {
  canonicalJson,
  countAll,
  type Grouping,
  type LinearQuery,
  MarginalList,
  marginal,
  type QueryList,
  queryKey,
  queryToJson,
} from '../../../query/index.ts'
import { decodeRow } from './decode.ts'
import { encodeRow, rowToJson } from './encode.ts'
import { ownKeys } from './own-keys.ts'
import { queriesFromJson, queriesToJson } from './query-list.ts'
import type { RunOpen } from './row.ts'

const names = Array.from({ length: 40 }, (_, i) => `a${i}`)
const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => marginal([a, b])))
const open = (queries: QueryList): RunOpen => ({
  kind: 'run-open',
  analyst: null,
  statement: null,
  epsilon: rational(1),
  queries,
  grid: null,
})

const grouping: fc.Arbitrary<Grouping> = fc.record(
  {
    attribute: fc.constantFrom('a', 'b', 'c'),
    groups: fc.array(
      fc.nat(5).map((code) => ({ kind: 'interval', from: code, to: code }) as const),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['attribute'] },
)
const query: fc.Arbitrary<LinearQuery> = fc.oneof(
  { weight: 9, arbitrary: fc.array(grouping, { maxLength: 3 }).map((by) => ({ ...countAll, by })) },
  fc.constantFrom(
    { ...marginal(['a']), step: rational(1, 2) },
    { ...marginal(['a']), terms: [] },
    { ...marginal(['a']), terms: [{ coefficient: 2, factors: {} }] },
    { ...marginal(['a']), terms: [{ coefficient: 1, factors: { b: { kind: 'interval', from: 0, to: 1 } } }] },
  ),
)

test('any list of queries comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(query, { maxLength: 300, size: 'max' }), (queries) => {
      expect([...queriesFromJson(JSON.parse(JSON.stringify(queriesToJson(queries))))]).toEqual(queries)
    }),
    { numRuns: 50 },
  )
})

test('a list of marginals is written as its queries are, and read as a list', () => {
  const sets = fc.record({
    ways: fc.integer({ min: 1, max: 3 }),
    axes: fc.array(fc.nat(5), { minLength: 190, maxLength: 260, size: 'max' }),
  })
  fc.assert(
    fc.property(sets, fc.array(fc.nat(200), { maxLength: 4 }), ({ ways, axes }, sold) => {
      const list = new MarginalList(names, ways, axes.slice(0, axes.length - (axes.length % ways)))
      const json = queriesToJson(list)
      expect(json).toEqual(queriesToJson([...list]))
      expect(queriesToJson(list, 'one by one')).toEqual(queriesToJson([...list], 'one by one'))
      const read = queriesFromJson(json)
      if (list.length >= 64) expect(read).toBeInstanceOf(MarginalList)
      expect([...read]).toEqual([...list])
      // What a run may close on.
      const asked = [
        ...sold.map((place) => list.at(place % list.length)!),
        marginal(['a39']),
        countAll,
        marginal(['b']),
      ]
      const [together, apart] = [ownKeys(list, asked), ownKeys([...list], asked)]
      for (const query of asked) expect(together.has(queryKey(query))).toBe(apart.has(queryKey(query)))
      for (const place of sold) expect(together.has(queryKey(list.at(place % list.length)!))).toBe(true)
      expect(together.has(queryKey(countAll))).toBe(false)
    }),
    { numRuns: 50 },
  )
})

describe('many counts', () => {
  test('take little room: all pairs are one span for each first attribute', () => {
    const [together] = queriesToJson(pairs) as [{ counts: { groupings: unknown[]; spans: number[][] } }]
    expect(together.counts.groupings).toEqual(names.map((attribute) => ({ attribute })))
    expect(together.counts.spans).toEqual(names.slice(0, -1).map((_, i) => [i, i + 1, 39]))
    expect(encodeRow(open(pairs)).body.length).toBeLessThan(2000)
  })
  test('that were written one by one are still read', () => {
    const row = open(pairs)
    const { body, blob } = encodeRow(row)
    const first = JSON.stringify({ ...JSON.parse(body), queries: pairs.map(queryToJson) })
    expect(first.length).toBeGreaterThan(20 * body.length)
    const read = decodeRow({ body: first, blob })
    expect(read).toEqual({ ...row, written: 'one by one' })
    // As the chain has it, for whoever computes the hashes again.
    expect(canonicalJson(rowToJson(read))).toBe(canonicalJson(JSON.parse(first)))
    const now = decodeRow({ body, blob }) as RunOpen
    expect({ ...now, queries: [...now.queries] }).toEqual(row)
  })
  test.each([
    ['an unknown field', { more: 1 }],
    ['a span of nothing', { spans: [[0, 1, 39], []] }],
    ['a span that goes back', { spans: [[0, 9, 1]] }],
    ['a place that is not there', { spans: [[0, 1, 40]] }],
    ['half a place', { spans: [[0.5, 1, 39]] }],
    [
      'two spans for one',
      {
        spans: [
          [0, 1, 20],
          [0, 21, 39],
        ],
      },
    ],
    ['a grouping that nobody uses', { groupings: [...names, 'b'].map((attribute) => ({ attribute })) }],
    ['a grouping with an unknown field', { groupings: names.map((attribute) => ({ attribute, more: 1 })) }],
  ])('written in another way are refused: %s', (_, change) => {
    const { body, blob } = encodeRow(open(pairs))
    const json = JSON.parse(body)
    Object.assign(json.queries[0].counts, change)
    expect(() => decodeRow({ body: JSON.stringify(json), blob })).toThrow('the ledger is damaged')
  })
  test('that are more than memory holds are refused before they are made', () => {
    const { body, blob } = encodeRow(open(pairs))
    const json = JSON.parse(body)
    const groupings = Array.from({ length: 4100 }, (_, i) => ({ attribute: `a${i}` }))
    // 16 million counts by 200 attributes: 13 GB as numbers. With groups, or by one attribute less, they would be objects.
    const span = (ways: number) => [...Array.from({ length: ways - 1 }, (_, i) => i), 0, 4099]
    const spans = Array.from({ length: 4090 }, () => span(200))
    const forged = [
      { groupings, spans },
      { groupings, spans: [span(199), ...spans] },
      { groupings: [{ attribute: 'a', groups: [] }, ...groupings.slice(1)], spans: spans.map(() => span(1)) },
      { groupings, spans: [...spans.map(() => span(2)), [0, 2 ** 40, 0, 0], [0, 2 ** 40, 0]] },
    ]
    const before = process.memoryUsage.rss()
    for (const counts of forged) {
      json.queries = [{ counts }]
      expect(() => decodeRow({ body: JSON.stringify(json), blob })).toThrow('the ledger is damaged')
    }
    // The rows' own texts, several times over; the lists would take gigabytes.
    expect(process.memoryUsage.rss() - before).toBeLessThan(2 ** 29)
  })
})
