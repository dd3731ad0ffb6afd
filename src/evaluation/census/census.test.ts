import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { chiSquareTail } from '../../../test/statistical/goodness.ts'
import { label } from '../../schema/index.ts'
import { censusAttributes, censusUniverse } from './attributes.ts'
import { type Census, generateCensus } from './generate.ts'
import { writeCensus } from './write.ts'

const column = (census: Census, name: string) => census.columns[censusUniverse.index.get(name)!]!
const codes = new Map(
  censusAttributes.flatMap((a) => Array.from({ length: a.size }, (_, c) => [`${a.name} ${label(a, c)}`, c] as const)),
)
const code = (name: string, text: string) => codes.get(`${name} ${text}`)!
/** Share of the rows that satisfy `is` among those that satisfy `given`. */
function share(census: Census, is: (row: number) => boolean, given: (row: number) => boolean = () => true): number {
  let [all, hits] = [0, 0]
  for (let row = 0; row < census.rows; row++) {
    if (!given(row)) continue
    all++
    if (is(row)) hits++
  }
  return hits / all
}

test('nine closed attributes with the domain sizes of Table 4', () => {
  expect(censusAttributes.map((a) => a.size)).toEqual([101, 2, 4, 26, 29, 5, 5, 512, 4])
  expect(censusAttributes.every((a) => a.closed)).toBe(true)
  for (const a of censusAttributes)
    expect(new Set(Array.from({ length: a.size }, (_, c) => label(a, c))).size).toBe(a.size)
})

describe('a seed', () => {
  test('names one table, whatever pieces it is drawn in', () => {
    const whole = generateCensus({ rows: 5000, seed: 7 })
    expect(generateCensus({ rows: 5000, seed: 7 })).toEqual(whole)
    for (const [from, rows] of [
      [0, 1],
      [1, 1999],
      [2000, 3000],
    ] as const) {
      const piece = generateCensus({ rows, seed: 7, from })
      expect(piece.columns).toEqual(whole.columns.map((c) => c.slice(from, from + rows)))
    }
  })

  test('and another seed another table, not the same rows elsewhere', () => {
    const keys = (seed: number) => {
      const { columns, rows } = generateCensus({ rows: 2000, seed })
      return new Set(Array.from({ length: rows }, (_, row) => columns.map((c) => c[row]).join()))
    }
    // Rare records are unique to a table; neighbouring and far seeds alike share only the few common ones.
    for (const [a, b] of [
      [1, 2],
      [1, 2 ** 32 + 1],
      [0, 2 ** 31],
    ] as const) {
      const [left, right] = [keys(a), keys(b)]
      expect(left.intersection(right).size).toBeLessThan(left.size / 2)
    }
  })
})

describe('people', () => {
  const census = generateCensus({ rows: 400_000, seed: 1 })
  const [age, gender, state] = [column(census, 'age'), column(census, 'gender'), column(census, 'state')]
  const [birth, race, education] = [column(census, 'birth_place'), column(census, 'race'), column(census, 'education')]
  const [marital, occupation, work] = [
    column(census, 'marital_status'),
    column(census, 'occupation'),
    column(census, 'class_of_worker'),
  ]

  test('every code is in its domain and every code of every attribute occurs', () => {
    census.columns.forEach((codes, i) => {
      // The rarest occupation has 12 expected rows, the rarest age 10: one seed in 10^4 would miss one of them.
      expect(new Set(codes).size).toBe(censusAttributes[i]!.size)
      expect(codes.every((c) => c < censusAttributes[i]!.size)).toBe(true)
    })
  })

  test('what cannot be does not occur', () => {
    const single = code('marital_status', 'Single')
    for (let row = 0; row < census.rows; row++) {
      if (age[row]! < 15 && marital[row] !== single) throw new Error('a married child')
      if (age[row]! < 14 && occupation[row] !== 0) throw new Error('a working child')
      if ((occupation[row] === 0) !== (work[row] === 0)) throw new Error('a class of worker without an occupation')
      if (age[row]! < 21 && education[row]! >= code('education', 'College')) throw new Error('too young for a degree')
    }
  })

  // Shares as designed. A share of n rows has a standard deviation of at most 1/(2√n): 0.0008 for all 400,000, 0.004
  // for the smallest group below (16,000). Bands are wider than 5 of them on either side: one false alarm in 10^6.
  const between = (value: number, low: number, high: number) => {
    expect(value).toBeGreaterThan(low)
    expect(value).toBeLessThan(high)
  }
  test('marginals are skewed', () => {
    between(
      share(census, (r) => state[r] === code('state', 'SP')),
      0.21,
      0.222,
    )
    between(
      share(census, (r) => state[r] === code('state', 'RR')),
      0.001,
      0.007,
    )
    between(
      share(census, (r) => occupation[r] === 0),
      0.59,
      0.64,
    )
    const jobs = new Uint32Array(512)
    for (const o of occupation) jobs[o]!++
    const sorted = [...jobs.subarray(1)].sort((a, b) => b - a)
    expect(sorted[0]!).toBeGreaterThan(100 * sorted[400]!)
  })

  test('attributes hang together as people are', () => {
    const old = (r: number) => age[r]! >= 75
    const adult = (r: number) => age[r]! >= 30 && age[r]! < 60
    between(
      share(census, (r) => gender[r] === 0),
      0.5,
      0.52,
    )
    between(
      share(census, (r) => gender[r] === 0, old),
      0.55,
      0.65,
    )
    between(
      share(census, (r) => marital[r] === code('marital_status', 'Married'), adult),
      0.6,
      0.8,
    )
    between(
      share(census, (r) => birth[r] === state[r]),
      0.8,
      0.9,
    )
    const white = code('race', 'White')
    between(
      share(
        census,
        (r) => race[r] === white,
        (r) => state[r] === code('state', 'RS'),
      ),
      0.75,
      0.81,
    )
    between(
      share(
        census,
        (r) => race[r] === white,
        (r) => state[r] === code('state', 'BA'),
      ),
      0.26,
      0.32,
    )
    const degree = (r: number) => education[r]! >= code('education', 'College')
    const working = (r: number) => work[r] !== 0
    const [withDegree, without] = [
      share(census, working, (r) => adult(r) && degree(r)),
      share(census, working, (r) => adult(r) && !degree(r)),
    ]
    expect(withDegree).toBeGreaterThan(without + 0.03)
  })

  /** Pearson's test of independence of two columns: the probability of a table at least so uneven. */
  const independence = (a: Uint16Array, sizeA: number, b: Uint16Array, sizeB: number): number => {
    const [table, rowSums, columnSums] = [sizeA * sizeB, sizeA, sizeB].map((n) => new Float64Array(n))
    a.forEach((x, row) => {
      const y = b[row]!
      table![x * sizeB + y]!++
      rowSums![x]!++
      columnSums![y]!++
    })
    const statistic = table!.reduce((sum, count, cell) => {
      const expected = (rowSums![Math.floor(cell / sizeB)]! * columnSums![cell % sizeB]!) / a.length
      return sum + (count - expected) ** 2 / expected
    }, 0)
    return chiSquareTail(statistic, (sizeA - 1) * (sizeB - 1))
  }
  const decade = age.map((years) => Math.min(8, Math.floor(years / 10)))

  test('what has nothing to do with each other is independent, in a row and from one row to the next', () => {
    // 1 false alarm in 10^4 each; every expected count is above 10, so that the statistic follows its law.
    expect(independence(decade, 9, state, 26)).toBeGreaterThan(1e-4)
    expect(independence(gender, 2, state, 26)).toBeGreaterThan(1e-4)
    expect(independence(decade.subarray(0, -1), 9, decade.subarray(1), 9)).toBeGreaterThan(1e-4)
    expect(independence(state.subarray(0, -1), 26, gender.subarray(1), 2)).toBeGreaterThan(1e-4)
    // And it has power: women's longer lives show, a difference of a few percent.
    expect(independence(decade, 9, gender, 2)).toBeLessThan(1e-9)
  })

  test('many cells of the two-way marginals are small or empty', () => {
    const pairs = new Uint32Array(101 * 512)
    for (let row = 0; row < census.rows; row++) pairs[age[row]! * 512 + occupation[row]!]!++
    const small = pairs.filter((n) => n <= 10).length / pairs.length
    between(small, 0.9, 0.97)
  })
})

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-census-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const read = async (sql: string) => {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const rows = (await connection.runAndReadAll(sql)).getRowsJson()
    connection.closeSync()
    instance.closeSync()
    return rows
  }

  // More rows than one batch, and not a multiple of a chunk.
  const rows = 2 ** 16 + 2048 + 5
  test('Parquet and CSV hold the labels of the same rows in the same order', async () => {
    const [parquet, csv] = [join(folder, "owner's.parquet"), join(folder, 'census.csv')]
    for (const path of [parquet, csv]) await writeCensus({ rows, seed: 3, path })
    const quoted = `'${parquet.replaceAll("'", "''")}'`
    const census = generateCensus({ rows, seed: 3 })
    const expected = Array.from({ length: rows }, (_, row) =>
      censusAttributes.map((a, i) => label(a, census.columns[i]![row]!)!).join('|'),
    )
    const joined = censusAttributes.map((a) => a.name).join(", '|', ")
    for (const source of [quoted, `read_csv('${csv}', all_varchar = true)`])
      expect((await read(`SELECT concat(${joined}) FROM ${source}`)).map(([line]) => line)).toEqual(expected)
    const types = (await read(`DESCRIBE FROM ${quoted}`)).map(([name, type]) => `${name} ${type}`)
    expect(types).toEqual(censusAttributes.map((a) => `${a.name} ${a.kind === 'integer' ? 'UTINYINT' : 'VARCHAR'}`))
  })

  test('a table without rows is a file with its columns', async () => {
    const path = join(folder, 'empty.parquet')
    await writeCensus({ rows: 0, seed: 1, path })
    expect(await read(`SELECT COUNT(*)::INTEGER FROM '${path}'`)).toEqual([[0]])
  })
})
