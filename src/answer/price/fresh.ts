import { gaussianVarianceFor, laplaceScaleFor } from '../../inference/index.ts'
import { toNumber } from '../../numeric/index.ts'
import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { PaidChoice } from './choice.ts'
import { priceOf } from './cost.ts'

/** Half the width of the interval that is wanted, in the data's own units, and how sure it must be. */
export interface Precision {
  readonly within: number
  readonly confidence: number
}

/** The noise of questions: Gaussian where ρ counts. */
export const noiseKind = (book: Book) => (book.cap.rho === null ? 'laplace' : 'gaussian')

/** A fresh measurement alone: by the exact tail of its discrete law (Theorem 5.3). */
export function fresh(query: LinearQuery, wanted: Precision, book: Book): PaidChoice {
  const charge = { kind: 'measurement', query, law: aloneLaw(query, wanted, book) } as const
  return { kind: 'fresh', charge, price: priceOf(charge, book) }
}

/** The noisiest law that is precise enough by itself. */
export function aloneLaw(query: LinearQuery, { within, confidence }: Precision, book: Book): NoiseLaw {
  const steps = within / toNumber(query.step)
  const key = `${noiseKind(book)} ${steps} ${confidence}`
  const law: NoiseLaw =
    laws.get(key) ??
    (noiseKind(book) === 'laplace'
      ? { kind: 'laplace', scale: laplaceScaleFor(steps, confidence) }
      : { kind: 'gaussian', variance: gaussianVarianceFor(steps, confidence) })
  if (laws.size < 1000) laws.set(key, law)
  return law
}
/** The same precision is asked for again and again, several times in one question. */
const laws = new Map<string, NoiseLaw>()
