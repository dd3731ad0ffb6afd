import { keptKey } from '../query/index.ts'
import type { NoisyAnswer } from './fitted-model.ts'

/** Answers to the same query as one, by their precision; in the order in which each query was last answered. */
export function combined(answers: readonly NoisyAnswer[]): NoisyAnswer[] {
  const found = new Map<string, NoisyAnswer>()
  for (const answer of answers) {
    const key = keptKey(answer.query)
    const before = found.get(key)
    found.delete(key)
    found.set(key, before ? both(before, answer) : answer)
  }
  return [...found.values()]
}

function both(a: NoisyAnswer, b: NoisyAnswer): NoisyAnswer {
  if (a.variance === 0 || b.variance === 0) return a.variance === 0 ? a : b
  const share = b.variance / (a.variance + b.variance)
  const values = Float64Array.from(a.values, (value, i) => share * value + (1 - share) * b.values[i]!)
  return { query: a.query, values, variance: share * a.variance }
}
