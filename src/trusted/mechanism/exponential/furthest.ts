import { type Rational, type Spans, spansAt, spansSize } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { ExactAnswers } from '../../exact/index.ts'
import { open, openTable } from '../../exact/open.ts'
import { type Bits, systemBits } from '../../random/index.ts'
import { distance } from '../distance.ts'
import { pick } from './pick.ts'

/** What is chosen from, and how: candidates among exact answers, and public numbers for each in the same order. */
export interface Candidates {
  readonly exact: ExactAnswers<Integers>
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
  const { exact, model, weights, penalties } = candidates
  const flat = flatOf(exact)
  if (!flat || !(model instanceof Float64Array)) return exactScores(candidates)
  const { values, starts } = flat
  const scores = flat.scores.subarray(0, spansSize(candidates.candidates))
  let c = 0
  let from = 0
  for (const [first, last] of candidates.candidates)
    for (let place = first; place <= last; place++, c++) {
      let far = 0
      for (let cell = starts[place]!; cell < starts[place + 1]!; cell++) far += Math.abs(values[cell]! - model[from++]!)
      const weighted = weights ? far * weights[c]! : far
      const score = penalties ? weighted - penalties[c]! : weighted
      // Terms are not negative and rounding is monotone: where one of them or a partial sum reached 2^53, this did too.
      if (!(weighted <= Number.MAX_SAFE_INTEGER && Number.isSafeInteger(score))) return exactScores(candidates)
      scores[c] = score
    }
  return scores
}

export interface Flat {
  readonly values: Float64Array
  /** Where each answer begins, and where the last one ends. */
  readonly starts: Float64Array
  /** Made anew in every choice, in the same place. */
  readonly scores: Float64Array
}
const flats = new WeakMap<ExactAnswers<Integers>, Flat | undefined>()

/**
 * The same answers one after the other, for as long as their list is held: a run chooses among half a million of them again and again.
 * Undefined where some are no doubles.
 */
export function flatOf(exact: ExactAnswers<Integers>): Flat | undefined {
  if (flats.has(exact)) return flats.get(exact)
  const flat = flattened(exact)
  flats.set(exact, flat)
  return flat
}

function flattened(exact: ExactAnswers<Integers>): Flat | undefined {
  const table = openTable(exact)
  if (table) return { ...table, scores: new Float64Array(exact.length) }
  const opened = Array.from({ length: exact.length }, (_, i) => open(exact.at(i)!))
  const starts = new Float64Array(opened.length + 1)
  for (const [i, answers] of opened.entries()) starts[i + 1] = starts[i]! + answers.length
  const values = new Float64Array(starts[opened.length]!)
  for (const [i, answers] of opened.entries()) if (answers instanceof Float64Array) values.set(answers, starts[i])
  return opened.every((answers) => answers instanceof Float64Array)
    ? { values, starts, scores: new Float64Array(opened.length) }
    : undefined
}

function exactScores({ exact, candidates, model, weights, penalties }: Candidates): bigint[] {
  let from = 0
  return Array.from({ length: spansSize(candidates) }, (_, c) => {
    const answers = open(exact.at(spansAt(candidates, c))!)
    const far = BigInt(distance(answers, model, from))
    from += answers.length
    return far * BigInt(weights?.[c] ?? 1) - BigInt(penalties?.[c] ?? 0)
  })
}
