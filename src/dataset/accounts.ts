import { type Cost, costOf, leftFor, priceOf, scaleOf } from '../answer/index.ts'
import { toNumber } from '../numeric/index.ts'
import { answerSize, describe } from '../query/index.ts'
import type { Policy } from '../schema/index.ts'
import { addSpending, type Cap, epsilonAt, isAnswer, unitsToNumber, zeroSpending } from '../trusted/accounting/index.ts'
import { type Book, formatReceipt, type Release } from '../trusted/ledger/index.ts'

export interface Budget {
  readonly dataset: string
  readonly cap: Cost
  readonly spent: Cost
  /** The part of `spent` charged for rows that were lost when an older copy of the ledger was restored, if any. */
  readonly lost?: Cost
  /** `epsilon`: the most that one more question or release may cost. */
  readonly left: Cost
  /** `epsilon`: the most that one more release with Laplace noise may cost; differs from `left` if the policy has a δ. */
  readonly leftForLaplace: Cost
  /** Purchases in this epoch. */
  readonly purchases: number
  readonly epochs: number
  readonly analysts: readonly AnalystBudget[]
  readonly receipt: string
}
export interface AnalystBudget {
  readonly name: string
  readonly cap: Cost
  readonly spent: Cost
  readonly left: Cost
  readonly leftForLaplace: Cost
}

/** One purchase. `open`: paid for but not recorded, because it is still running or was interrupted. */
export interface HistoryEntry {
  readonly number: number
  readonly at: string
  readonly analyst: string | null
  readonly statement: string | null
  readonly state: 'open' | 'recorded' | 'void'
  /** The price of all of it. With a δ, its ρ is the sum over the measurements, and its ε is less than theirs. */
  readonly cost: Cost
  readonly measurements: readonly HistoryMeasurement[]
  /** Choices among queries and scores of a model, bought in addition to answers. */
  readonly choices?: { readonly count: number; readonly epsilon: number; readonly rho?: number }
  /** For an open release of marginals: what it set out to measure, and the ε that it reserves meanwhile. */
  readonly begun?: { readonly marginals: number; readonly cells: number; readonly epsilon: number }
  /** If the owner continued with an older copy of the ledger: what was charged for the rows that it lacks. */
  readonly restored?: Cost
}
export interface HistoryMeasurement {
  readonly query: string
  /** What it is grouped by. */
  readonly by: readonly string[]
  /** Numbers in the answer: 1, or one per group. */
  readonly cells: number
  readonly epsilon: number
  /** Where the policy has δ > 0. */
  readonly rho?: number
  /** The noise scale, in the data's own units. */
  readonly scale: number
}

/** What the ledger says has been spent, and what is left. */
export function budgetOf(policy: Policy, book: Book): Budget {
  const analysts = [...(policy.privacy.analysts ?? [])].map(([name, cap]) => ({ name, cap: book.capOf(cap) }))
  const capOf = ({ epsilon, rho }: Cap): Cost => ({
    epsilon: unitsToNumber(epsilon),
    delta: toNumber(book.terms.delta),
    ...(rho === null ? {} : { rho: unitsToNumber(rho) }),
  })
  return {
    dataset: policy.dataset,
    cap: capOf(book.cap),
    spent: costOf(book.spent(), book),
    ...(book.lost !== zeroSpending && { lost: costOf(book.lost, book) }),
    left: leftFor(book),
    leftForLaplace: leftFor(book, { purpose: 'laplace' }),
    purchases: book.releases.length,
    epochs: book.epochs,
    analysts: analysts.map((quota) => ({
      name: quota.name,
      cap: capOf(quota.cap),
      spent: costOf(book.spent(quota.name), book),
      left: leftFor(book, { quota }),
      leftForLaplace: leftFor(book, { quota, purpose: 'laplace' }),
    })),
    receipt: formatReceipt(book.head),
  }
}

/** This epoch's purchases, and all times when an older copy was restored, in the ledger's order. */
export function historyOf(book: Book): HistoryEntry[] {
  const restores = book.restores.map(
    ({ seq, at, lost }): HistoryEntry => ({
      number: seq,
      at,
      analyst: null,
      statement: null,
      state: 'recorded',
      cost: costOf(lost, book),
      measurements: [],
      restored: costOf(lost, book),
    }),
  )
  const purchases = book.releases.map((release) => historyEntry(release, book))
  return [...restores, ...purchases].sort((a, b) => a.number - b.number)
}

/** One purchase, for people. */
function historyEntry(release: Release, book: Book): HistoryEntry {
  const { seq, at, analyst, statement, state, charges, held } = release
  const measurements = charges.filter(isAnswer).map((charge) => {
    const { epsilon, rho } = costOf(priceOf(charge, book), book)
    return {
      query: describe(charge.query, book.universe),
      by: charge.query.by.map(({ attribute }) => attribute),
      cells: answerSize(charge.query, book.universe),
      epsilon,
      ...(rho !== undefined && { rho }),
      scale: scaleOf(charge),
    }
  })
  const cost = costOf(charges.map((charge) => priceOf(charge, book)).reduce(addSpending, held), book)
  const choices = choicesIn(release, book)
  const begun = release.kind === 'run-open' && state === 'open' && begunBy(release, book)
  const entry = { number: seq, at, analyst, statement, state, cost, measurements }
  return { ...entry, ...(choices && { choices }), ...(begun && { begun }) }
}

/** How many, and what they cost together. */
function choicesIn({ charges }: Release, book: Book): HistoryEntry['choices'] {
  const choices = charges.filter((charge) => !isAnswer(charge))
  if (choices.length === 0) return undefined
  const price = choices.map((charge) => priceOf(charge, book)).reduce(addSpending, zeroSpending)
  const { epsilon, rho } = costOf(price, book)
  return { count: choices.length, epsilon, ...(rho !== undefined && { rho }) }
}

/** Releases of marginals and of synthetic tables open runs. One that reserves ρ reports the equivalent ε. */
const begunBy = ({ reach, held }: Release, book: Book) => ({
  marginals: reach().length,
  cells: reach().reduce((cells, { query }) => cells + answerSize(query, book.universe), 0),
  epsilon: Number.isFinite(held.epsilon) ? unitsToNumber(held.epsilon) : epsilonAt(held, book),
})
