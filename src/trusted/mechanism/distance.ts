import type { Integers } from '../../query/index.ts'

/**
 * Σ|answer - model| over all cells, exactly; the model's cells begin at `from`. A double where it is below 2^53, else a
 * BigInt.
 */
export function distance(answers: Integers, model: Integers, from = 0): number | bigint {
  if (answers instanceof Float64Array && model instanceof Float64Array) {
    let sum = 0
    for (let i = 0; i < answers.length; i++) sum += Math.abs(answers[i]! - model[from + i]!)
    // Terms are not negative and rounding is monotone: where a term or a partial sum reached 2^53, the sum did too.
    if (sum <= Number.MAX_SAFE_INTEGER) return sum
  }
  let sum = 0n
  for (let i = 0; i < answers.length; i++) {
    const apart = BigInt(answers[i]!) - BigInt(model[from + i]!)
    sum += apart < 0n ? -apart : apart
  }
  return sum
}
