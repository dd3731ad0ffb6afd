import { expect, test } from 'vitest'
import { KeptHistograms } from './kept-histograms.ts'

/** Keeps and counts how often somebody had to count. */
function keeping() {
  const kept = new KeptHistograms()
  const counted: string[] = []
  const of = (attributes: readonly number[], cells: number) =>
    kept.of(attributes, async () => {
      counted.push(attributes.join())
      return { attributes, sizes: [cells], counts: new Float64Array(cells).fill(counted.length) }
    })
  return { of, counted }
}

test('what was counted is not counted again, and a copy is given out', async () => {
  const { of, counted } = keeping()
  const first = await of([1, 2], 4)
  first.counts.fill(7)
  expect((await of([1, 2], 4)).counts).toEqual(new Float64Array(4).fill(1))
  expect((await of([1], 4)).counts).toEqual(new Float64Array(4).fill(2))
  expect(counted).toEqual(['1,2', '1'])
})

test('the one that was not used for longest goes first, and a large one is never kept', async () => {
  const { of, counted } = keeping()
  for (const attribute of [0, 1, 2, 3, 0]) await of([attribute], 2 ** 20)
  await of([4], 2 ** 20 + 1)
  await of([4], 2 ** 20 + 1)
  // No room for five: 1 goes, which 0 has outlived by being used.
  for (const attribute of [5, 0, 1]) await of([attribute], 2 ** 20)
  expect(counted).toEqual(['0', '1', '2', '3', '4', '4', '5', '1'])
})

test('what failed is tried again', async () => {
  const kept = new KeptHistograms()
  await expect(kept.of([0], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(
    (await kept.of([0], async () => ({ attributes: [0], sizes: [1], counts: new Float64Array(1) }))).sizes,
  ).toEqual([1])
})
