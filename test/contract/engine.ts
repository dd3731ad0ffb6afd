import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryEngine, type RawRecord } from '../../src/evaluation/index.ts'
import { parseRational, rational } from '../../src/numeric/index.ts'
import { countAll, type Integers, type LinearQuery, MarginalList, marginal } from '../../src/query/index.ts'
import { attribute, type Unit, type Universe, universe } from '../../src/schema/index.ts'
import type { Engine } from '../../src/trusted/engine/index.ts'
import type { Exact } from '../../src/trusted/exact/index.ts'
import { open } from '../../src/trusted/exact/open.ts'
import { queryOver } from './engine-queries.ts'
import { type Table, textTable } from './engine-table.ts'

export interface EngineSetting {
  readonly universe: Universe
  readonly unit: Unit
  readonly key: Uint8Array
}
/** An opened engine, and how another table is put in place of its own; what that gives back puts the first one back. */
export interface Place {
  readonly engine: Engine
  readonly replace?: (table: Table) => Promise<() => void | Promise<void>>
}
/** Puts a table where the engine can read it and opens it. */
export type MakeEngine = (table: Table, setting: EngineSetting) => Promise<Place>

export interface EngineTraits {
  /** Why the engine's sources have no types but text; undefined where they have. */
  readonly noTypes?: string
  /** Why the engine cannot tell an empty text from NULL; undefined where it can. */
  readonly noEmptyText?: string
  /** Why the engine's table cannot change; undefined where it can. */
  readonly fixed?: string
  /** Why a few of many like cases are enough: every statement takes its time. */
  readonly slow?: string
}

const key = Uint8Array.from({ length: 32 }, (_, i) => i)
const common = { closed: false } as const
const kinds = [
  attribute({ kind: 'integer', name: 'age', low: 17, high: 90, ...common }),
  attribute({ kind: 'integer', name: 'balance', low: -5, high: 5, closed: true }),
  attribute({ kind: 'integer', name: 'signed', low: -100, high: 100, ...common }),
  attribute({ kind: 'integer', name: 'bit', low: 0, high: 1, closed: true }),
  attribute({ kind: 'integer', name: 'either', low: 41, high: 42, ...common }),
  attribute({ kind: 'decimal', name: 'income', low: rational(0), high: rational(2), step: rational(1, 10), ...common }),
  attribute({
    kind: 'decimal',
    name: 'third',
    low: rational(-1),
    high: rational(1),
    step: rational(1, 3),
    closed: true,
  }),
  attribute({
    kind: 'bins',
    name: 'tenths',
    low: rational(-1, 10),
    high: rational(12, 10),
    width: rational(1, 10),
    edges: [],
    stated: [],
    ...common,
  }),
  attribute({
    kind: 'bins',
    name: 'given',
    low: rational(-5),
    high: rational(2000),
    width: null,
    edges: ['-5', '0', '0.05', '0.15', '0.7', '42', '42.5', '2000'].map((edge) => parseRational(edge)!),
    stated: [],
    closed: true,
  }),
  attribute({
    kind: 'bins',
    name: 'one',
    low: rational(0),
    high: rational(1),
    width: rational(1),
    edges: [],
    stated: [],
    ...common,
  }),
  attribute({ kind: 'values', name: 'colour', values: ['red', 'grün', "o'hare", '7', ''], other: false, ...common }),
  attribute({ kind: 'values', name: 'size', values: ['S', 'M', 'L'], other: true, ...common }),
  attribute({ kind: 'values', name: 'shape', values: ['round', 'flat'], other: true, closed: true }),
  attribute({
    kind: 'values',
    name: 'town',
    values: Array.from({ length: 300 }, (_, i) => `town "${i}"`),
    other: false,
    closed: true,
  }),
  attribute({ kind: 'boolean', name: 'member', ...common }),
  attribute({
    kind: 'date',
    name: 'born',
    from: '1900-01-01',
    to: '2026-12-31',
    by: 'month',
    format: 'DD.MM.YYYY',
    ...common,
  }),
  attribute({
    kind: 'date',
    name: 'seen',
    from: '2020-02-27',
    to: '2020-03-02',
    by: 'day',
    format: 'YYYY-MM-DD',
    ...common,
  }),
  attribute({
    kind: 'date',
    name: 'year',
    from: '1990-05-05',
    to: '2010-02-02',
    by: 'year',
    format: 'YYYY',
    closed: true,
  }),
]
const every = universe(kinds)
const names = kinds.map((a) => a.name)
const singles = names.map((n) => marginal([n]))

/** Texts that one reader or another stumbles over. */
const nasty = [
  ...[
    '0',
    '1',
    '17',
    '16',
    '90',
    '91',
    '42',
    '42.0',
    ' 42 ',
    '+42',
    '42.5',
    '41.4999',
    '-0',
    '0042',
    '4_2',
    '+-42',
    '0x2A',
  ],
  ...['1e1', '1E+1', '.5', '5.', '.', 'e5', '1e', '1e400', '-1e400', '1e-400', '123456789012345678901234567890'],
  ...[
    '0.05',
    '0.15',
    '0.25',
    '1.95',
    '-0.05',
    '0.049',
    '0.333333',
    '0.5',
    '-0.5',
    '0.16666',
    '0.1666667',
    ...Array.from({ length: 16 }, (_, i) => `${(i - 2) / 10}`),
    ...[
      '0.29999999999999998',
      '0.30000000000000004',
      '0.7',
      '0.69999999999999996',
      '1.2',
      '2000',
      '1999.9999999999998',
    ],
    '1,5',
    '1 2',
  ],
  ...['NaN', 'nan', 'inf', '-inf', 'Infinity', '-Infinity', 'INFINITY', 'infinit', 'null', 'NULL', 'N/A', '-', '--1'],
  ...['red', 'Red', ' red', 'red ', 'grün', 'gru\u0308n', "o'hare", 'o"hare', '7', '7.0', 'S', 's', 'other', 'round'],
  ...['town "0"', 'town "299"', 'town "300"', 'true', 'TRUE', 'T', 'yes', 'No', 'on', '2', 'y', 'N', 'wahr'],
  ...['01.02.2000', '1.2.2000', '31.02.2000', '29.02.2000', '29.02.1900', '01.02.20000', '01-02-2000', '31.12.1899'],
  ...[
    '2020-02-29',
    '2020-02-30',
    '2020-2-29',
    '2020-02-29 10:00',
    '2020-03-05',
    '0001-01-01',
    '9999-12-31',
    '2000',
    '999',
  ],
  ...[
    'a\nb',
    'a\r\nb',
    'a,b',
    '"',
    '""',
    "';--",
    '\t',
    ' ',
    '😀',
    '\u00a042',
    '42\u00a0',
    '٤٢',
    '\u{1d7d2}',
    'x'.repeat(5000),
  ],
]

export const integers = (a: Exact<Integers>): bigint[] => Array.from(open(a) as ArrayLike<number | bigint>, BigInt)
const whole = (u: Universe, unit: Unit = { kind: 'row' }): EngineSetting => ({ universe: u, unit, key })

/** Short to compare and to print: the length and the cells that are not 0. */
const nonzero = (answer: readonly bigint[]) => ({
  length: answer.length,
  cells: Object.fromEntries([...answer.entries()].filter(([, n]) => n !== 0n)),
})

/** What every engine does. The obvious one, a loop over records in memory, says what is right. */
export function engineContract(name: string, make: MakeEngine, traits: EngineTraits = {}): void {
  describe(`${name} keeps the contract of an engine:`, () => {
    const opened: Engine[] = []
    const place = async (table: Table, setting: EngineSetting) => {
      const made = await make(table, setting)
      opened.push(made.engine)
      return made
    }
    const engine = async (table: Table, setting: EngineSetting) => (await place(table, setting)).engine
    afterAll(async () => {
      for (const e of opened) await e.close()
    })
    const answers = async (e: Engine, queries: readonly LinearQuery[]) =>
      (await (await e.snapshot()).answer(queries)).map(integers)
    const agree = async (table: Table, setting: EngineSetting, queries: readonly LinearQuery[]) => {
      const right = await answers(memoryEngine({ rows: table.rows, ...setting }), queries)
      const given = await answers(await engine(table, setting), queries)
      for (const [i, q] of queries.entries())
        expect(nonzero(given[i]!), JSON.stringify(q.by)).toEqual(nonzero(right[i]!))
    }
    const everywhere = (values: readonly RawRecord[string][]) =>
      values.map((v) => Object.fromEntries(names.map((n) => [n, v])))

    test('an empty table answers 0', async () => {
      const e = await engine(textTable(names, []), whole(every))
      const [count, ages, none] = await answers(e, [countAll, marginal(['age']), { ...countAll, terms: [] }])
      expect([count, none]).toEqual([[0n], [0n]])
      expect(ages).toEqual(new Array(75).fill(0n))
    })

    test('every text has the code that the policy says, in attributes of every kind', async () => {
      await agree(textTable(names, everywhere([...nasty, null])), whole(every), [countAll, ...singles])
    })

    test('random texts too', async () => {
      const odd = fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom(...'0123456789+-._eE, \tinfa'), minLength: 1, maxLength: 9 }),
        fc.double().map(String),
        fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }).map((d) => {
          const [year, month, day] = d.toISOString().slice(0, 10).split('-')
          return day!.endsWith('1') ? `${day}.${month}.${year}` : `${year}-${month}-${day}`
        }),
      )
      const texts = fc.sample(odd, { numRuns: 1000, seed: 20 }).filter((t) => t.isWellFormed() && !t.includes('\0'))
      await agree(textTable(names, everywhere(texts)), whole(every), singles)
    })

    test.skipIf(traits.noEmptyText)(
      `an empty text is a value, not NULL${traits.noEmptyText ? `: ${traits.noEmptyText}` : ''}`,
      async () => {
        await agree(textTable(names, everywhere(['', null])), whole(every), singles)
      },
    )

    const typed: [string, RawRecord[string][]][] = [
      ['BIGINT', [null, 0n, 1n, 7n, 16n, 42n, 91n, -6n, 20000101n, 2000n, 2n ** 62n, -(2n ** 62n)]],
      ['UTINYINT', [null, 0, 1, 7, 42, 255]],
      ['TINYINT', [null, -128, -6, 0, 1, 42, 127]],
      ['UBIGINT', [null, 0n, 1n, 42n, 2n ** 64n - 1n]],
      ['HUGEINT', [null, 0n, 1n, 42n, 2n ** 100n, -(2n ** 100n)]],
      ['DOUBLE', [null, 0, -0.5, 0.05, 0.15, 0.25, 7, 41.5, 42.4, 1.95, 1e300, Number.NaN, Infinity, -Infinity, 2000]],
      ['FLOAT', [null, 0, 0.1, 0.15, 0.3, 0.7, 1.1, -0.1, 42.5, 123456.7, Number.NaN, Infinity]],
      ['DECIMAL(10,2)', [null, '0.05', '0.15', '0.25', '42.50', '-3.00', '99999999.99']],
      ['BOOLEAN', [null, true, false]],
      ['DATE', [null, '2020-02-29', '1850-01-01', '2200-01-01', '2020-03-01', '1999-12-31'].map(day)],
      ['TIMESTAMP', [null, '2020-02-29T23:59:59Z', '2020-02-28T00:00:00Z', '1999-12-31T12:00:00Z'].map(day)],
      ['TIMESTAMPTZ', [null, '2020-02-29T23:59:59Z', '2020-02-28T00:00:00Z', '1999-12-31T12:00:00Z'].map(day)],
      ['TIMESTAMP_NS', [null, '2020-02-29T23:59:59Z', '1677-09-21T12:00:00Z', '2262-04-11T12:00:00Z'].map(day)],
      ["ENUM('red', 'S', 'round', '7')", [null, 'red', 'S', 'round', '7']],
    ]
    for (const [type, values] of typed) {
      test.skipIf(traits.noTypes)(
        `values of type ${type} are read as they are${traits.noTypes ? `: ${traits.noTypes}` : ''}`,
        async () => {
          // The text of a date or a time among listed values is the database's own; all other kinds are settled.
          const settled = kinds.filter((a) => a.kind !== 'values' || !/DATE|TIME|DECIMAL/.test(type))
          const table = { columns: Object.fromEntries(names.map((n) => [n, type])), rows: everywhere(values) }
          await agree(
            table,
            whole(every),
            settled.map((a) => marginal([a.name])),
          )
        },
      )
    }

    const small = universe([
      attribute({ kind: 'integer', name: 'age', low: 0, high: 19, ...common }),
      attribute({ kind: 'values', name: 'size', values: ['S', 'M', 'L'], other: true, ...common }),
      attribute({ kind: 'boolean', name: 'member', closed: true }),
      attribute({ kind: 'integer', name: 'code', low: 0, high: 2999, ...common }),
      attribute({ kind: 'integer', name: 'zip', low: 0, high: 3999, closed: true }),
    ])
    const people = (count: number, seed = 1): RawRecord[] => {
      let state = seed
      const next = (n: number) => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0
        return Math.floor((state / 2 ** 32) * n)
      }
      return Array.from({ length: count }, () => ({
        age: next(10) === 0 ? null : String(next(24) - 2),
        size: ['S', 'M', 'L', 'XL', null][next(5)],
        member: ['yes', 'no', 'perhaps'][next(3)],
        code: String(next(3) === 0 ? next(3000) : 17),
        zip: String(next(4000)),
        person: next(20) === 0 ? null : `p${next(count / 8)}`,
      }))
    }
    const peopleTable = (rows: readonly RawRecord[]) =>
      textTable(['person', ...small.attributes.map((a) => a.name)], rows)

    test('random queries are the sums of their weights over the records', async () => {
      const queries = fc.sample(queryOver(small), { numRuns: 50, seed: 3 })
      await agree(peopleTable(people(400)), whole(small), queries)
      // Alone, a query may be answered in another way than in a crowd.
      const e = await engine(peopleTable(people(400)), whole(small))
      const twin = memoryEngine({ rows: people(400), ...whole(small) })
      for (const q of queries.slice(0, traits.slow ? 4 : 15))
        expect(await answers(e, [q])).toEqual(await answers(twin, [q]))
    })

    test('many counts over few attributes, and marginals in any order of their attributes', async () => {
      const pairs = small.attributes.flatMap((a) => small.attributes.map((b) => [a.name, b.name] as const))
      const counts = fc.sample(queryOver(universe(small.attributes.slice(0, 3))), { numRuns: 200, seed: 5 })
      const marginals = pairs.filter(([a, b]) => a !== b && ![a, b].includes('zip')).map((p) => marginal(p))
      await agree(peopleTable(people(300)), whole(small), [...counts, ...marginals])
    })

    test('a list of marginals, short or of hundreds, is answered as its queries are', async () => {
      const names = small.attributes.map(({ name }) => name)
      const pairsOf = (some: readonly string[]) =>
        some.flatMap((a) => some.filter((b) => b !== a).map((b) => [names.indexOf(a), names.indexOf(b)]))
      const source = await (await engine(peopleTable(people(300)), whole(small))).snapshot()
      // Once more than there are GROUP BYs worth looking for, the same small pairs again and again.
      for (const [pairs, times] of [
        [pairsOf(['age', 'size', 'member', 'code']), 1],
        [pairsOf(['age', 'size', 'member']), 50],
      ] as const) {
        const list = new MarginalList(names, 2, new Array(times).fill(pairs).flat(2))
        const given = (await source.marginals?.(list)) ?? (await source.answer([...list]))
        const right = await source.answer([...list])
        expect(given.length).toBe(right.length)
        for (const [i, one] of right.entries()) expect(integers(given.at(i)!)).toEqual(integers(one))
      }
    })

    test('sums beyond 2^53 are exact', async () => {
      const huge = (power: 1 | 2, slope: number): LinearQuery => ({
        ...countAll,
        terms: [{ coefficient: 3, factors: { zip: { kind: 'value', slope, shift: 1, power, from: 0, to: 3999 } } }],
      })
      const byAge = { ...huge(2, 9000), by: [{ attribute: 'age' }] }
      const queries = [
        huge(1, 20_000_000_001),
        huge(2, 500),
        byAge,
        ...fc.sample(queryOver(small), { numRuns: 5, seed: 9 }),
      ]
      await agree(peopleTable(people(2000)), whole(small), queries)
    })

    test('a malformed query and an answer too large for memory are refused', async () => {
      const e = await (await engine(peopleTable([]), whole(small))).snapshot()
      const outside: LinearQuery = {
        ...countAll,
        terms: [{ coefficient: 1, factors: { age: { kind: 'set', codes: [21] } } }],
      }
      await expect(e.answer([outside])).rejects.toMatchObject({ code: 'query-invalid' })
      await expect(e.answer([marginal(['nobody'])])).rejects.toMatchObject({ code: 'unknown-name' })
      await expect(e.answer([marginal(['zip', 'code', 'age'])])).rejects.toMatchObject({ code: 'query-invalid' })
    })

    const person: Unit = { kind: 'column', column: 'person', rows: 3 }
    const cube = marginal(['age', 'size', 'member'])

    test('at most so many records of one person count, chosen by a keyed hash', async () => {
      const rows = people(400)
      const few = await engine(peopleTable(rows), whole(small, person))
      const held = Map.groupBy(rows, (r) => r.person ?? null)
      const expected = [...held.values()].reduce((n, list) => n + Math.min(3, list.length), 0)
      expect(await answers(few, [countAll])).toEqual([[BigInt(expected)]])
      await agree(peopleTable(rows), whole(small, person), [cube, marginal(['code']), countAll])
    })

    const known: [string, (p: string) => string | bigint][] = [
      ['BIGINT', (p) => 7n - BigInt(p.slice(1))],
      ['UUID', (p) => `0b5a1f${p.slice(1).padStart(2, '0')}-12ab-4cde-8f01-23456789abcd`],
    ]
    for (const [type, id] of known)
      test.skipIf(traits.noTypes)(
        `so are the records of people who are known by a ${type}${traits.noTypes ? `: ${traits.noTypes}` : ''}`,
        async () => {
          const rows = people(200).map((r) => ({ ...r, person: r.person == null ? null : id(String(r.person)) }))
          const { columns } = peopleTable(rows)
          await agree({ columns: { ...columns, person: type }, rows }, whole(small, person), [cube, countAll])
        },
      )

    test("one person's records count the same, whoever else is there and in whatever order", async () => {
      const [mine, others] = [
        people(20, 7).map((r) => ({ ...r, person: 'me' })),
        people(100, 8).map((r, i) => ({ ...r, person: `p${i % 30}` })),
      ]
      const from = async (rows: RawRecord[]) =>
        (await answers(await engine(peopleTable(rows), whole(small, person)), [cube]))[0]!
      const [me, them, both, mixed] = [
        await from(mine),
        await from(others),
        await from([...mine, ...others]),
        await from([...others, ...mine].reverse()),
      ]
      expect(both).toEqual(me.map((n, i) => n + them[i]!))
      expect(mixed).toEqual(both)
      expect(me.reduce((a, b) => a + b)).toBe(3n)
    })

    test('questions at the same time get the right answers', async () => {
      const rows = people(200)
      const e = await engine(peopleTable(rows), whole(small))
      const right = await answers(memoryEngine({ rows, ...whole(small) }), [cube])
      const all = await Promise.all(Array.from({ length: 5 }, () => answers(e, [cube])))
      expect(all).toEqual(Array.from({ length: 5 }, () => right))
    })

    test('the full fingerprint is a keyed digest of the content', async () => {
      const rows = people(50)
      const print = async (table: Table, k = key) =>
        (await (await engine(table, { ...whole(small), key: k })).snapshot()).full()
      const first = await print(peopleTable(rows))
      expect(first).toMatch(/^(unpinned-)?[0-9a-f]{64}$/)
      expect(await print(peopleTable(rows.with(7, { ...rows[7], age: '3', size: 'changed' })))).not.toBe(first)
      expect(await print(peopleTable(rows), new Uint8Array(32))).not.toBe(first)
    })

    const changing = traits.fixed ? `: ${traits.fixed}` : ''

    test.skipIf(traits.fixed)(`a closed engine opens nothing again${changing}`, async () => {
      const e = await engine(peopleTable(people(50)), whole(small))
      const before = await e.snapshot()
      await e.close()
      await expect(e.snapshot()).rejects.toMatchObject({ code: 'engine-failed' })
      await expect(before.answer([cube])).rejects.toMatchObject({ code: 'source-changed' })
    })

    test('as long as nothing changes, there is one snapshot', async () => {
      const e = await engine(peopleTable(people(50)), whole(small))
      expect(await e.snapshot()).toBe(await e.snapshot())
    })

    for (const unit of [{ kind: 'row' }, person] as const)
      test.skipIf(traits.fixed)(
        `where a table is swapped and swapped back, each snapshot is of one of them (unit: ${unit.kind})${changing}`,
        async () => {
          const [mine, others] = [people(50), people(80, 2)]
          const { engine: e, replace } = await place(peopleTable(mine), whole(small, unit))
          const before = await e.snapshot()
          const [full, answer] = [await before.full(), await answers(e, [cube])]
          const back = await replace!(peopleTable(others))
          await expect(before.answer([cube])).rejects.toMatchObject({ code: 'source-changed' })
          const between = await e.snapshot()
          expect(between.quick).not.toBe(before.quick)
          expect(await between.full()).not.toBe(full)
          const right = memoryEngine({ rows: others, ...whole(small, unit) })
          expect(await answers(e, [cube])).toEqual(await answers(right, [cube]))
          await back()
          await expect(between.full()).rejects.toMatchObject({ code: 'source-changed' })
          // Once it was seen to be outdated it stays so, whatever the source looks like.
          await expect(before.answer([cube])).rejects.toMatchObject({ code: 'source-changed' })
          expect(await (await e.snapshot()).full()).toBe(full)
          expect(await answers(e, [cube])).toEqual(answer)
        },
      )
  })
}

function day(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
