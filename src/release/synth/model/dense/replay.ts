import { combined } from '../../mwem/combined-answers.ts'
import type { NoisyAnswer } from '../../mwem/fitted-model.ts'
import { Projection } from './projection.ts'
import { answersFrom, type QueryTable, queryTable } from './query-table.ts'
import { wanted } from './target.ts'
import type { DenseTable } from './update-once.ts'

const maxSweeps = 50
/** No answer changes a cell by more than this factor at a time. */
const mostChange = Math.exp(3)

/**
 * Changes the table, answer by answer and again from the first, until it agrees with all of them within their noise. The answers
 * from `first` on are new. It ends once so many cells were visited, about, if not before.
 */
export function replay(
  table: DenseTable,
  answers: readonly NoisyAnswer[],
  { first, maxVisits }: { readonly first: number; readonly maxVisits: number },
): void {
  const sizes = table.universe.attributes.map(({ size }) => size)
  const steps = combined(answers).map((answer) => {
    const query = queryTable(answer.query, table.universe)
    return { answer, query, projection: new Projection(sizes, query.axes) }
  })
  // The latest first: what is new is among them.
  const order = steps.reverse()
  let visits = 0
  for (let sweep = 0; sweep < maxSweeps; sweep++) {
    let changed = false
    for (const [i, { answer, query, projection }] of order.entries()) {
      // What is new is always looked at.
      if (visits >= maxVisits && (sweep > 0 || i >= answers.length - first)) return
      const marginal = projection.sum(table.cells, table.scale)
      const factors = factorsFor(query, marginal, answer, table.records)
      visits += table.cells.length
      if (!factors) continue
      table.scale = table.records / projection.multiply(table.cells, factors)
      visits += table.cells.length
      changed = true
    }
    if (!changed) return
  }
}

/** What each cell of the query's axes is multiplied by; undefined where the model agrees. */
function factorsFor(
  query: QueryTable,
  marginal: Float64Array,
  answer: NoisyAnswer,
  records: number,
): Float64Array | undefined {
  const now = answersFrom(query, marginal)
  const target = wanted(now, answer)
  if (!target) return undefined
  const { place, weight } = query
  if (!weight) return now.map((a, i) => ratio(target[i]!, a))
  if (weight.every((w) => w === 0 || w === 1)) {
    // Counts: those inside go up, so those outside go down.
    const outside = ratio(records - sum(target), records - sum(now))
    return weight.map((w, i) => (w === 1 ? ratio(target[place![i]!]!, now[place![i]!]!) : outside))
  }
  return tilts(query, marginal, now, target, records)
}

/** One step of Newton's towards exp(η·q(x)) times the cells, per answer: q(A) rises by η times the variance of q. */
function tilts(
  { place, weight }: QueryTable,
  marginal: Float64Array,
  now: Float64Array,
  target: Float64Array,
  records: number,
): Float64Array {
  const squares = new Float64Array(now.length)
  for (let i = 0; i < marginal.length; i++) squares[place![i]!]! += marginal[i]! * weight![i]! ** 2
  const eta = now.map((a, c) => (target[c]! - a) / Math.max(squares[c]! - a ** 2 / records, 1e-9 * records))
  return weight!.map((w, i) => clamp(Math.exp(w * eta[place![i]!]!)))
}

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0)
const clamp = (factor: number): number => Math.min(mostChange, Math.max(1 / mostChange, factor))
const ratio = (target: number, now: number): number => (now > 0 ? clamp(target / now) : 1)
