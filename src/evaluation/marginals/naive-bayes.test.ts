import { expect, test } from 'vitest'
import { seededBits } from '../seeded.ts'
import { countMarginals } from './count.ts'
import { folds, withoutPart } from './folds.ts'
import { accuracy, trainNaiveBayes } from './naive-bayes.ts'
import { generatedTable } from './table.ts'

test('a model by hand: counts of one more each, at least 1', () => {
  const model = trainNaiveBayes(Float64Array.of(3, 1), [Float64Array.of(2, 1, -7, 1)])
  const exp = (logs: Float64Array) => Array.from(logs, Math.exp)
  expect(exp(model.prior)).toEqual([4 / 6, 2 / 6].map((p) => expect.closeTo(p, 12)))
  // Given the first class 3/5 and 2/5, given the second 1/3 and 2/3.
  expect(exp(model.given[0]!)).toEqual([3 / 5, 1 / 3, 2 / 5, 2 / 3].map((p) => expect.closeTo(p, 12)))
})

test('the likeliest class by hand', () => {
  const model = trainNaiveBayes(Float64Array.of(3, 1), [Float64Array.of(2, 1, -7, 1)])
  const table = { ...generatedTable(0, 1), rows: 2, columns: [Uint16Array.of(0, 1), Uint16Array.of(0, 1)] }
  // 4/6·3/5 against 2/6·1/3, and 4/6·2/5 against 2/6·2/3: the first class both times, and right once.
  expect(accuracy(model, table, 0, [1])).toBe(1 / 2)
  // Seen twice, the second value outweighs the prior: 4/6·(2/5)² against 2/6·(2/3)².
  const twice = { prior: model.prior, given: [model.given[0]!, model.given[0]!] }
  expect(accuracy(twice, table, 0, [1, 1])).toBe(1)
})

test('parts hold every row once, and the counts of all but one are those of the rest of the table', () => {
  const table = generatedTable(1003, 2)
  const parts = folds(table, 10, seededBits(3).uniform)
  expect(parts.reduce((rows, part) => rows + part.rows, 0)).toBe(1003)
  for (const { rows } of parts) expect([100, 101]).toContain(rows)
  const marginals = [['education'], ['education', 'age']]
  const counts = parts.map((part) => countMarginals(part, marginals).counts)
  const all = countMarginals(table, marginals).counts
  const rest = withoutPart(counts, 4)
  for (const [m, whole] of all.entries()) expect(whole.map((count, i) => count - counts[4]![m]![i]!)).toEqual(rest[m])
})

test('what depends on the class is told better than by the commonest class', () => {
  const table = generatedTable(20_000, 4)
  const index = (name: string) => table.universe.index.get(name)!
  const target = index('education')
  const names = ['age', 'occupation']
  const [classes, ...joint] = countMarginals(table, [['education'], ...names.map((n) => ['education', n])]).counts
  const told = accuracy(trainNaiveBayes(classes!, joint), table, target, names.map(index))
  expect(told).toBeGreaterThan(Math.max(...classes!) / table.rows + 0.05)
  const ignorant = trainNaiveBayes(classes!, [])
  expect(accuracy(ignorant, table, target, [])).toBeCloseTo(Math.max(...classes!) / table.rows, 12)
})
