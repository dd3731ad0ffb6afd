import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import { seal } from '../../exact/seal.ts'
import { openPaths } from './paths.ts'
import { upward } from './scales.ts'

const grid = Array.from({ length: 40 }, (_, i) => rational(2 * i + 3, 2))
const exact = seal(Float64Array.from({ length: 200 }, (_, i) => 10 * i))
const one = (answers: Float64Array | bigint[], seed: number) =>
  openPaths({ exact: [seal(answers)], grid }, seededBits(seed))[0]!
const opened = (seed: number) => openPaths({ exact: [exact], grid }, seededBits(seed))[0]!

test('all at once, level by level and change by change show the same paths', () => {
  const [steps, changes] = [opened(1), opened(1)]
  for (const to of [30, 12, 3, 0]) {
    const leap = opened(1)
    const { cells, values, level, count } = leap.lower(to)
    expect(level).toBe(to)
    expect(new Set(cells.subarray(0, count)).size).toBe(count)
    cells.subarray(0, count).forEach((cell, i) => {
      expect(leap.values()[cell]).toBe(values[i])
    })
    while (steps.level > to) steps.lower(steps.level - 1)
    while (changes.level > to) changes.lower(to, 'first-change')
    expect(steps.values()).toEqual(leap.values())
    expect(changes.values()).toEqual(leap.values())
  }
})

test('a grid gives the paths that the list of its scales gives', () => {
  const even = upward({ first: rational(81, 2), step: rational(1), count: 40 })
  const [list, computed] = [opened(6), openPaths({ exact: [exact], grid: even }, seededBits(6))[0]!]
  for (const level of [39, 30, 12, 0]) {
    for (const paths of [list, computed]) paths.lower(level)
    expect(computed.values()).toEqual(list.values())
  }
})

test('a step lists the cells that changed and no others; the first change is the first', () => {
  const paths = opened(2)
  let before = paths.values()
  while (paths.level > 0) {
    const start = paths.level
    const { cells, level, count } = paths.lower(0, 'first-change')
    const twin = opened(2)
    if (level + 1 < start) expect(twin.lower(level + 1).level).toBe(level + 1)
    if (level + 1 < start) expect(twin.values()).toEqual(before)
    const after = paths.values()
    const changed = [...after.keys()].filter((i) => after[i] !== before[i])
    expect([...cells.subarray(0, count)].sort((a, b) => a - b)).toEqual(changed)
    before = after
  }
})

test('answers beyond doubles take the same path in BigInts', () => {
  const big = one([10n ** 20n, -(10n ** 20n)], 3)
  const small = one(Float64Array.of(0, 0), 3)
  const edge = one(Float64Array.of(2 ** 53 - 1, 1 - 2 ** 53), 3)
  for (const level of [39, 20, 0]) {
    for (const paths of [big, small, edge]) paths.lower(level)
    const noise = Array.from<number | bigint, bigint>(small.values(), BigInt)
    expect(big.values()).toEqual([10n ** 20n + noise[0]!, -(10n ** 20n) + noise[1]!])
    const shown = edge.values()
    expect(Array.from<number | bigint, bigint>(shown, BigInt)).toEqual([
      2n ** 53n - 1n + noise[0]!,
      1n - 2n ** 53n + noise[1]!,
    ])
    // Doubles where what is shown fits, whatever is hidden below.
    expect(shown instanceof Float64Array).toBe(noise[0]! <= 0n && noise[1]! >= 0n)
  }
})

test('only downward, only within the grid', () => {
  const paths = opened(4)
  expect(paths.level).toBe(39)
  paths.lower(10)
  for (const to of [11, -1, 2.5, Number.NaN]) expect(() => paths.lower(to)).toThrow(RangeError)
  expect(paths.level).toBe(10)
  expect(paths.lower(10).count).toBe(0)
  const scales = (...numbers: number[]) => numbers.map((n) => rational(n))
  for (const bad of [[], scales(1, 1), scales(2, 1), scales(0, 1), [rational(1, 501)], [rational(2n ** 36n + 1n)]])
    expect(() => openPaths({ exact: [exact], grid: bad })).toThrow(RangeError)
})

test('what is handed out is a copy, and printing shows nothing', () => {
  const paths = opened(5)
  const values = paths.values() as Float64Array
  values.fill(-1)
  expect(paths.values()).not.toEqual(values)
  expect(inspect(paths, { showHidden: true, depth: 5 })).not.toMatch(/\d{2}/)
})
