import { mean } from '../../numeric/index.ts'

/** The mean squared error per query (MWEM paper, §3.1). */
export const squaredError = (exact: readonly number[], answers: readonly number[]): number =>
  mean(exact.map((answer, i) => (answers[i]! - answer) ** 2))
