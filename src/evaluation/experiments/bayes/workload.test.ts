import { expect, test } from 'vitest'
import { answerSize, factorTable, weightAt } from '../../../query/index.ts'
import { seededBits } from '../../seeded.ts'
import { treeLevels } from './ours.ts'
import { ages, ageTable, cellProbability, cells, drawQuestion } from './workload.ts'

test('Eq. 37 over ten is a law', () => {
  const total = Array.from({ length: cells }, (_, cell) => cellProbability(cell)).reduce((a, b) => a + b, 0)
  expect(Math.abs(total - 1)).toBeLessThan(2e-10) // 10^-10 is missing, and goes to the last cell
})

test('Eq. 38: one to ten cells, mostly the first ten, and a width in range', () => {
  const { uniform } = seededBits(1)
  const questions = Array.from({ length: 2000 }, () => drawQuestion(uniform, 50))
  let [all, first] = [0, 0]
  for (const { weights, query, within } of questions) {
    const trials = weights.reduce((a, b) => a + b, 0)
    expect(trials >= 1 && trials <= 10 && within >= 25 && within <= 500).toBe(true)
    expect(Array.from(weights, (_, cell) => weightAt(query, ages, [cell]))).toEqual(Array.from(weights))
    all += trials
    first += weights.subarray(0, 10).reduce((a, b) => a + b, 0)
  }
  expect(first / all).toBeCloseTo(0.9, 1) // seeded: about 11,000 draws, so 0.05 is 17 standard deviations
  expect(all / questions.length).toBeCloseTo(5.5, 0)
})

test('the histogram counts everybody once', () => {
  const { rows, histogram } = ageTable(500, 2)
  expect(rows).toHaveLength(500)
  expect(histogram.reduce((a, b) => a + b, 0)).toBe(500)
})

test('every level of the tree is a partition of the cells into at most twice as many as the one above', () => {
  const levels = treeLevels()
  expect(levels.map((query) => answerSize(query, ages))).toEqual([1, 2, 4, 8, 16, 32, 64, 100])
  for (const { by } of levels.slice(0, -1)) {
    const covered = by[0]!.groups!.map((group) => factorTable(group, cells))
    for (let cell = 0; cell < cells; cell++) expect(covered.reduce((sum, table) => sum + table[cell]!, 0)).toBe(1)
  }
})
