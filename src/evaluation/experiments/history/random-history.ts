import { openHistory, type PastAnswers } from '../../../inference/index.ts'
import { fromNumber } from '../../../numeric/index.ts'
import { countAll, type LinearQuery, type Measurement } from '../../../query/index.ts'
import { type Bits, discreteLaplace } from '../../../trusted/random/index.ts'
import type { CodedTable } from '../../marginals/index.ts'
import type { SeededBits } from '../../seeded.ts'
import type { ExactAnswers } from './exact-answers.ts'
import { mostOf, RandomQuestions } from './random-questions.ts'

/** A question that is put to a model, and its exact answer. */
export interface NewQuestion {
  readonly kind: 'range' | 'pair' | 'average'
  /** An average is the first divided by the second. */
  readonly parts: readonly [LinearQuery] | readonly [LinearQuery, LinearQuery]
  readonly exact: number
  /** Whether the history determines it. */
  readonly isDetermined: boolean
}

/** A short history of a table, and questions that somebody may ask then. */
interface RandomHistory {
  readonly past: PastAnswers
  readonly questions: readonly NewQuestion[]
}

/** So many answers; noise of 0.0003 to 0.03 of the records; n is public in half of the histories. */
export function randomHistory(
  table: CodedTable,
  exact: ExactAnswers,
  answers: number,
  bits: SeededBits,
): RandomHistory {
  const { universe, rows } = table
  const { uniform } = bits
  const draw = new RandomQuestions(universe, uniform)
  const [scale, isPublic] = [Math.max(0.5, rows * 10 ** (-3.5 + 2 * uniform())), uniform() < 0.5]
  const queries = Array.from({ length: answers }, () => draw.any())
  if (!isPublic) queries[0] = countAll
  const measurements = queries.map((query, i) => noisy(query, i, scale, exact, bits))
  const past = { universe, measurements, ...(isPublic && { records: rows }) }
  const known = openHistory(universe, { random: uniform, ...(isPublic && { publicCount: rows }) })
  for (const measurement of measurements) known.append(measurement)
  const isKnown = (query: LinearQuery): boolean => known.estimate(query).estimable
  const questions = Array.from({ length: 4 }, () => [draw.range(), draw.pair(), draw.average()] as const).flatMap(
    ([range, pair, average]): NewQuestion[] => [
      question('range', [range]),
      question('pair', [pair]),
      ...(average ? [question('average', [average.sum, average.count])] : []),
    ],
  )
  return { past, questions: questions.filter((q) => Number.isFinite(q.exact)) }

  function question(kind: NewQuestion['kind'], parts: NewQuestion['parts']): NewQuestion {
    const [first, second] = parts.map((query) => exact.of(query)[0]!)
    return {
      kind,
      parts,
      exact: second === undefined ? first! : first! / second,
      isDetermined: parts.every(isKnown),
    }
  }
}

function noisy(query: LinearQuery, place: number, scale: number, exact: ExactAnswers, bits: Bits): Measurement {
  const law = { kind: 'laplace', scale: fromNumber(scale * mostOf(query)) } as const
  const values = exact.of(query).map((value) => value + Number(discreteLaplace(law.scale, bits)))
  return { id: `${place + 1}.0`, query, law, values }
}
