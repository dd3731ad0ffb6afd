import { divide, type Rational, rational, toNumber } from '../numeric/index.ts'
import { describe, type LinearQuery, type NoiseLaw, type Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { type Charge, price, range, scaleFor, type Units } from '../trusted/accounting/index.ts'
import type { Book } from '../trusted/ledger/index.ts'

/** One linear query of a statement, and what it will be bought for. */
export interface PricedPart {
  readonly query: LinearQuery
  readonly law: NoiseLaw
  /** In words. */
  readonly description: string
  readonly units: Units
  /** Of its noise, in the data's own units; 0 for what is public. */
  readonly scale: number
}

/** Splits ε equally over the parts that cost anything; the rest are public and free. */
export function priceParts(statement: Statement, epsilon: Rational, book: Book): PricedPart[] {
  if (epsilon.num <= 0n) {
    throw new ReticentError(
      'usage',
      { epsilon: toNumber(epsilon) },
      {
        message: 'ε must be above 0',
        hint: 'Small is private, large is precise: 0.01 to 1 are usual.',
      },
    )
  }
  const terms = { universe: book.universe, privacy: book.terms }
  const priced = statement.parts.filter((query) => !isPublic(query, book))
  const share = divide(epsilon, rational(Math.max(1, priced.length)))
  return statement.parts.map((query) => {
    const law: NoiseLaw = priced.includes(query)
      ? { kind: 'laplace', scale: scaleFor(query, share, terms) }
      : { kind: 'none' }
    return {
      query,
      law,
      description: describe(query, book.universe),
      units: price({ query, law }, terms),
      scale: law.kind === 'laplace' ? toNumber(law.scale) * toNumber(query.step) : 0,
    }
  })
}

export const chargeOf = ({ query, law }: PricedPart): Charge => ({ query, law })

/** The same whatever the records are, as long as there are as many: COUNT(*) where the number of rows is public. */
const isPublic = (query: LinearQuery, { terms, universe }: Book): boolean =>
  terms.neighbours === 'replace-one' && range(query, universe) === 0
