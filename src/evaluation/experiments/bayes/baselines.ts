import { laplaceScaleFor } from '../../../inference/index.ts'
import { fromNumber, toNumber } from '../../../numeric/index.ts'
import type { Bits } from '../../../trusted/random/index.ts'
import { discreteLaplace } from '../../../trusted/random/index.ts'
import { LeastSquares } from './least-squares.ts'
import { cells, confidence, type Question } from './workload.ts'

/** A way of answering one question after another. Non-private code: it is handed the exact histogram. */
export interface System {
  readonly name: string
  /** The answer; undefined if the requirement cannot be met within the budget. */
  answer(question: Question): Promise<number | undefined>
  /** ᾱ of Theorem 5.4: what the system has spent. */
  spent(): number
}

export interface Setting {
  readonly histogram: Float64Array
  /** The most that may be spent. */
  readonly budget: number
  readonly bits: Bits
}

const exact = ({ weights }: Question, histogram: Float64Array) =>
  weights.reduce((sum, weight, cell) => sum + weight * histogram[cell]!, 0)
const sensitivity = ({ weights }: Question) => weights.reduce((most, weight) => Math.max(most, weight), 0)

/**
 * The Laplace mechanism with the same budget for every question: what a question of sensitivity 1 needs for the half-width
 * that is asked for on average, 250. Budgets add up. An answer counts where its noise happens to meet the requirement.
 */
export function plainLaplace({ histogram, budget, bits }: Setting): System {
  const each = 1 / toNumber(laplaceScaleFor(250, confidence))
  let spent = 0
  return {
    name: 'plain Laplace',
    spent: () => spent,
    answer: async (question) => {
      if (spent + each > budget) return undefined
      spent += each
      const scale = sensitivity(question) / each
      const noisy = exact(question, histogram) + Number(discreteLaplace(fromNumber(Number(scale.toPrecision(6))), bits))
      return scale <= toNumber(laplaceScaleFor(question.within, confidence)) * (1 + 1e-5) ? noisy : undefined
    },
  }
}

/** A fresh answer to every question, just as noisy as it may be (Theorem 5.3), charged to the cells that it counts. */
function allocated(
  { histogram, budget, bits }: Setting,
  name: string,
  returned: (question: Question, noisy: number) => number,
  sure = confidence,
): System {
  const paid = new Float64Array(cells)
  return {
    name,
    spent: () => paid.reduce((most, cost) => Math.max(most, cost), 0),
    answer: async (question) => {
      const scale = laplaceScaleFor(question.within, sure)
      const after = question.weights.map((weight, cell) => paid[cell]! + weight / toNumber(scale))
      if (after.some((cost) => cost > budget)) return undefined
      paid.set(after)
      return returned(question, exact(question, histogram) + Number(discreteLaplace(scale, bits)))
    },
  }
}

/** The paper's improved baseline: budget allocation, and nothing remembered. */
export const improvedLaplace = (setting: Setting): System =>
  allocated(setting, 'budget allocation', (_, noisy) => noisy)

/** The same, as sure of every answer as another system turned out to be of its own. */
export const asReliable = (setting: Setting, sure: number): System =>
  allocated(setting, 'budget allocation, as reliable', (_, noisy) => noisy, sure)

/** The same purchases; each answer is the least-squares fit of all answers so far. */
export function leastSquares(setting: Setting): System {
  const fit = new LeastSquares()
  return allocated(setting, 'ordinary least squares', ({ weights }, noisy) => {
    fit.append(weights, noisy)
    return fit.estimate(weights)
  })
}
