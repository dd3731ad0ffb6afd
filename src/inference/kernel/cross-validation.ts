import { dot } from '../../numeric/index.ts'
import type { KernelAnswer } from './kernel-answer.ts'
import { Krylov } from './krylov.ts'
import { shuffled } from './some-of.ts'
import { symmetricProduct } from './symmetric.ts'

/** The answers, and the rows of their kernel matrix up to the diagonal, in units of the noise. */
export interface KernelHistory {
  readonly answers: readonly KernelAnswer[]
  readonly rows: readonly Float64Array[]
  /** The number of records, where it is known without noise. */
  readonly records?: number
}

/** A part of the answers, to be told from the others. */
interface Fold {
  readonly tested: readonly number[]
  /** From what the others are beside the prior and, where the number of records is not known, from the prior's. */
  readonly values: Krylov
  readonly means: Krylov | undefined
}

/** What a solution may leave of each answer, in units of its noise, and the most steps that it may take. */
const [tolerance, mostSteps] = [0.05, 250]

/**
 * How far every answer is from what the others, without its fold, tell about it: less its own noise this estimates the mean squared
 * error for a new question. Every fold's kernel is made tridiagonal once, for all α.
 */
export class CrossValidation {
  readonly #history: KernelHistory
  readonly #folds: readonly Fold[]
  readonly #tested: number
  /** The answers less the prior's with a rough number of records, and the latter, in units of the noise. */
  readonly #values: Float64Array
  readonly #means: Float64Array

  /** The folds: places of the answers in each. */
  constructor(history: KernelHistory, folds: readonly (readonly number[])[]) {
    const { answers } = history
    const records = roughRecords(history)
    this.#history = history
    this.#values = Float64Array.from(answers, (a) => (a.value - records * a.feature.expected) / a.deviation)
    this.#means = Float64Array.from(answers, (a) => (records * a.feature.expected) / a.deviation)
    this.#folds = folds.map((tested) => this.#fold(tested))
    this.#tested = folds.reduce((sum, tested) => sum + tested.length, 0)
  }

  #fold(tested: readonly number[]): Fold {
    const { rows, records } = this.#history
    const product = (vector: Float64Array) => {
      const image = symmetricProduct(rows, vector)
      const prediction = Float64Array.from(tested, (i) => image[i]!)
      for (const i of tested) image[i] = 0
      return { image, prediction }
    }
    const trained = (all: Float64Array) => {
      const part = all.slice()
      for (const i of tested) part[i] = 0
      return part
    }
    return {
      tested,
      values: new Krylov(product, trained(this.#values)),
      means: records === undefined ? new Krylov(product, trained(this.#means)) : undefined,
    }
  }

  /** The mean squared error in units of the noise; undefined where it would take too long. */
  error(alpha: number): number | undefined {
    let sum = 0
    for (const fold of this.#folds) {
      const part = this.#squares(fold, alpha ** -2)
      if (part === undefined) return undefined
      sum += part
    }
    return sum / this.#tested - 1
  }

  #squares({ tested, values, means }: Fold, shift: number): number | undefined {
    const most = tolerance * Math.sqrt(this.#values.length)
    const told = values.solution(shift, most, mostSteps)
    const spread = means?.solution(shift, most, mostSteps)
    if (!told || (means && !spread)) return undefined
    // The number of records, less the rough one and in units of it.
    const more = moreRecords(spread?.vector, this.#values, this.#means)
    return tested.reduce((sum, place, i) => {
      const rest = (told.prediction[i] ?? 0) - more * (spread?.prediction[i] ?? 0)
      return sum + (this.#values[place]! - more * this.#means[place]! - rest) ** 2
    }, 0)
  }
}

/**
 * By how much the answers tell of more records than the rough number, as a share of it: least squares, where `solved` is what the prior expects of the answers,
 * weighted. None where it expects 0 of all of them: they do not depend on the number of records then.
 */
export function moreRecords(solved: Float64Array | undefined, values: Float64Array, means: Float64Array): number {
  if (!solved) return 0
  const square = dot(solved, means)
  return square > 0 ? dot(solved, values) / square : 0
}

/** So many parts of the answers, drawn by `random`, which is uniform below 1. */
export function drawnFolds(answers: number, folds: number, random: () => number): number[][] {
  const order = shuffled(answers, random)
  return Array.from({ length: folds }, (_, k) => order.filter((_, i) => i % folds === k))
}

/** The number of records; where it is not known, what the answers would tell of it if counts were the prior's. */
export function roughRecords({ answers, records }: Pick<KernelHistory, 'answers' | 'records'>): number {
  if (records !== undefined) return records
  const sum = (of: (answer: KernelAnswer) => number) =>
    answers.reduce((total, a) => total + of(a) / a.deviation ** 2, 0)
  const found = sum(({ feature, value }) => feature.expected * value) / sum(({ feature }) => feature.expected ** 2)
  return Number.isFinite(found) ? Math.max(1, found) : 1
}
