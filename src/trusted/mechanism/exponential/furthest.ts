import { type Rational, type Spans, spansAt, spansSize } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { Exact } from '../../exact/index.ts'
import { open } from '../../exact/open.ts'
import { type Bits, systemBits } from '../../random/index.ts'
import { distance } from '../distance.ts'
import { pick } from './pick.ts'

/** What is chosen from, and how: candidates among exact answers, and public numbers for each in the same order. */
export interface Candidates {
  readonly exact: readonly Exact<Integers>[]
  /** Places among these. */
  readonly candidates: Spans
  /** A model's answers to the candidates, one after the other. */
  readonly model: Integers
  /** What each distance counts, 1 unless given; whole and above 0. */
  readonly weights?: Float64Array
  /** What is taken off each weighted distance, 0 unless given; whole. */
  readonly penalties?: Float64Array
}

/**
 * The place of one candidate, drawn with probability ∝ exp(rate·score), exactly, where the score is weight · Σ|answer -
 * model| - penalty: the likelier the further its answers are from the model's.
 *
 * Guarantee: where one protected unit moves no weighted distance by more than Δ, the choice costs every record ε =
 * 2·rate·Δ, and ε²/8 in ρ. Proof: docs/algorithms/exponential-mechanism.md
 */
export const selectFurthest = (candidates: Candidates, rate: Rational, bits: Bits = systemBits): number =>
  spansAt(candidates.candidates, pick(scoresOf(candidates), rate, bits))

/** In doubles where all are below 2^53, else in BigInts. */
function scoresOf(candidates: Candidates): Integers {
  const { exact, weights, penalties } = candidates
  const scores = new Float64Array(spansSize(candidates.candidates))
  let c = 0
  let from = 0
  for (const [first, last] of candidates.candidates)
    for (let place = first; place <= last; place++, c++) {
      const answers = open(exact[place]!)
      const far = distance(answers, candidates.model, from)
      if (typeof far === 'bigint') return exactScores(candidates)
      const weighted = weights ? far * weights[c]! : far
      const score = penalties ? weighted - penalties[c]! : weighted
      if (!Number.isSafeInteger(weighted) || !Number.isSafeInteger(score)) return exactScores(candidates)
      scores[c] = score
      from += answers.length
    }
  return scores
}

function exactScores({ exact, candidates, model, weights, penalties }: Candidates): bigint[] {
  let from = 0
  return Array.from({ length: spansSize(candidates) }, (_, c) => {
    const answers = open(exact[spansAt(candidates, c)]!)
    const far = BigInt(distance(answers, model, from))
    from += answers.length
    return far * BigInt(weights?.[c] ?? 1) - BigInt(penalties?.[c] ?? 0)
  })
}
