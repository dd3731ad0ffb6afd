import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { type Partition, singletons, type TableModel } from '../../../model/index.ts'
import { hiddenBelow } from './hidden.ts'

const [height, width] = [6, 4]
const partition = (...groupOf: number[]): Partition => ({
  groupOf: Int32Array.from(groupOf),
  count: Math.max(...groupOf) + 1,
})
/** Each level merges the one before. */
const levels = [
  [partition(0, 0, 1, 2, 2, 3), partition(0, 0, 1, 1, 1, 1)],
  [partition(0, 0, 1, 2), partition(0, 0, 1, 1)],
]
const finest = { attributes: [0, 1], groups: [levels[0]![0]!, levels[1]![0]!] } as const

/** A model that is this table, of which nothing else is asked. */
function modelOf(table: Float64Array): TableModel {
  const sum = (over: readonly number[]) => {
    const sums = new Float64Array(over[0] === 0 ? height : width)
    for (const [cell, count] of table.entries()) sums[over[0] === 0 ? Math.floor(cell / width) : cell % width]! += count
    return sums
  }
  const records = table.reduce((a, b) => a + b)
  return { records, marginal: (over: readonly number[]) => (over.length === 2 ? table : sum(over)) } as TableModel
}

test('what the next level would lose, as the definition says', () => {
  const { uniform } = seededBits(4)
  const table = Float64Array.from({ length: height * width }, uniform)
  const model = modelOf(table)
  const [down, across] = finest.groups
  const [wideDown, wideAcross] = [levels[0]![1]!, levels[1]![1]!]
  /** The mass of all codes that the rule keeps. */
  const mass = (keeps: (a: number, b: number) => boolean) =>
    table.reduce((sum, count, cell) => sum + (keeps(Math.floor(cell / width), cell % width) ? count : 0), 0)
  let right = 0
  for (let g = 0; g < down.count; g++)
    for (let h = 0; h < across.count; h++) {
      const [a, b] = [down.groupOf.indexOf(g), across.groupOf.indexOf(h)]
      const inRows = (row: number) => wideDown.groupOf[row] === wideDown.groupOf[a]
      const inColumns = (column: number) => wideAcross.groupOf[column] === wideAcross.groupOf[b]
      const rows = mass((row) => down.groupOf[row] === g) / mass(inRows)
      const columns = mass((_, column) => across.groupOf[column] === h) / mass((_, column) => inColumns(column))
      const spread = mass((row, column) => inRows(row) && inColumns(column)) * rows * columns
      right += Math.abs(mass((row, column) => down.groupOf[row] === g && across.groupOf[column] === h) - spread)
    }
  // Four groups became two: 2^1.5 - 1 is less than twice, and no more than half counts. Sums of two dozen doubles.
  expect(hiddenBelow(model, finest, levels)).toBeCloseTo(right / 2 / (2 * model.records), 12)
  expect(right).toBeGreaterThan(0.1)
})

test('four groups that can only become one have hidden a seventh of what that loses', () => {
  const table = Float64Array.from({ length: height * width }, seededBits(6).uniform)
  const model = modelOf(table)
  const [rows, columns] = [model.marginal([0]), model.marginal([1])]
  const four = levels[0]![0]!
  let lost = 0
  for (let group = 0; group < four.count; group++)
    for (let column = 0; column < width; column++) {
      let [own, row] = [0, 0]
      for (let code = 0; code < height; code++) {
        if (four.groupOf[code] !== group) continue
        own += table[code * width + column]!
        row += rows[code]!
      }
      lost += Math.abs(own - (row * columns[column]!) / model.records)
    }
  const pair = { attributes: [0, 1], groups: [four, singletons(width)] } as const
  // 4^1.5 - 1 = 7. Sums of two dozen doubles.
  expect(hiddenBelow(model, pair, [[four], []])).toBeCloseTo(lost / 7 / (2 * model.records), 12)
})

test('nothing where attributes are independent, or where every value stands alone', () => {
  const product = Float64Array.from(
    { length: height * width },
    (_, cell) => (1 + Math.floor(cell / width)) * (1 + (cell % width)),
  )
  expect(hiddenBelow(modelOf(product), finest, levels)).toBeCloseTo(0, 12)
  const diagonal = Float64Array.from({ length: height * width }, (_, cell) => Number(cell % 5 === 0))
  const alone = { attributes: [0, 1], groups: [singletons(height), singletons(width)] } as const
  expect(hiddenBelow(modelOf(diagonal), alone, levels)).toBe(0)
  expect(hiddenBelow(modelOf(diagonal), finest, levels)).toBeGreaterThan(0.05)
})
