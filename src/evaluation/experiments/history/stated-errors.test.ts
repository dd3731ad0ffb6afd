import { expect, test } from 'vitest'
import { fitKernel, KernelFits, learnedPrior } from '../../../inference/index.ts'
import { mixedTable, smallTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import { ExactAnswers } from './exact-answers.ts'
import { randomHistory } from './random-history.ts'
import { statedRatio } from './stated-ratio.ts'

/** With the kernel model at the α that it chose, and as it is shipped. */
const histories = [mixedTable(5, 2000), smallTable(2, 2000)].flatMap((table) => {
  const exact = new ExactAnswers(table)
  return [1, 2, 3, 5, 8, 12, 20, 30].map((answers, i) => {
    const { past, questions } = randomHistory(table, exact, answers, seededBits(i))
    const { uniform } = seededBits(7)
    const fits = new KernelFits(past, learnedPrior(past, uniform))
    const judged = fitKernel(past, { random: seededBits(7).uniform, isPlain: true })
    return { past, questions, fits, plain: fits.validated(uniform), judged }
  })
})

/** Of questions that the history does not determine. */
const ratios = (model: 'plain' | 'judged'): number[] =>
  histories.flatMap(({ questions, ...models }) =>
    questions.filter((q) => !q.isDetermined).flatMap((question) => statedRatio(question, models[model]) ?? []),
  )
const rootMeanSquare = (all: readonly number[]) => Math.sqrt(all.reduce((sum, x) => sum + x * x, 0) / all.length)
const above = (all: readonly number[], least: number) => all.filter((x) => x > least).length / all.length

// Generated tables, and the same questions on every run. Where α was chosen, errors are far too small: the bars have power.
test('after one to thirty answers estimates are off by about what is stated', () => {
  const [stated, chosen] = [ratios('judged'), ratios('plain')]
  expect(stated.length).toBeGreaterThan(90)
  expect(rootMeanSquare(stated)).toBeGreaterThan(0.5)
  expect(rootMeanSquare(stated)).toBeLessThan(1.5)
  expect(above(stated, 3)).toBeLessThan(0.05)
  expect(rootMeanSquare(chosen)).toBeGreaterThan(4)
  expect(above(chosen, 3)).toBeGreaterThan(0.3)
})

test('the estimates are those of the chosen α', () => {
  for (const { questions, plain, judged } of histories)
    for (const { parts } of questions) {
      expect(judged.estimates(parts[0])[0]!.estimate).toBe(plain.answers(parts[0])[0])
    }
})

test('what the answers determine is stated within little more than their noise', () => {
  const { questions, fits, judged } = histories[7]!
  const known = questions.filter(({ isDetermined, kind }) => isDetermined && kind !== 'average')
  for (const { parts } of known) {
    const [free] = fits.model(Infinity).estimates(parts[0])
    expect(judged.estimates(parts[0])[0]!.error).toBeLessThan(3 * free!.error!)
  }
  expect(known.length).toBeGreaterThan(0)
})

test('whoever gives an α has its own errors', () => {
  const { past, questions, fits } = histories[3]!
  const model = fitKernel(past, { alpha: 100, random: seededBits(7).uniform, isPlain: true })
  const same = fits.model(100)
  for (const { parts } of questions) expect(model.estimates(parts[0])).toEqual(same.estimates(parts[0]))
})
