import { equals, type Rational, toNumber } from '../numeric/index.ts'
import { canonicalJson } from '../query/index.ts'
import { attributesToJson, type Policy, problem, ReticentError } from '../schema/index.ts'
import type { Book } from '../trusted/ledger/index.ts'

/** Throws unless the policy still says what the ledger was made for. */
export function requireAgreement(policy: Policy, book: Book): void {
  requireTerms(policy, book)
  if (
    canonicalJson(attributesToJson(policy.universe.attributes)) !==
    canonicalJson(attributesToJson(book.universe.attributes))
  ) {
    throw changed('attributes', 'the attributes in the policy are not those in the ledger', epoch)
  }
  if (!equals(policy.privacy.epsilon, book.terms.epsilon) || !equals(policy.privacy.delta, book.terms.delta)) {
    throw changed(
      'privacy.epsilon',
      `the policy caps ${capText(policy.privacy)}, the ledger ${capText(book.terms)}`,
      'Change the policy back, or let the owner run `reticent ledger cap` to adopt the new cap.',
    )
  }
}

/** What may never change in the life of a ledger. */
export function requireTerms(policy: Policy, book: Book): void {
  if (policy.dataset !== book.dataset)
    throw changed('dataset', `the ledger is about ${JSON.stringify(book.dataset)}`, other)
  for (const key of ['unit', 'neighbours'] as const) {
    if (canonicalJson(policy.privacy[key]) !== canonicalJson(book.terms[key])) {
      throw changed(`privacy.${key}`, `privacy.${key} in the policy is not what the ledger promises`, other)
    }
  }
}

/** Bounds that came from looking at the data are not public until the owner says so. */
export function refuseReviewMarks(policy: Policy): void {
  if (policy.reviewLines.length === 0) return
  throw new ReticentError(
    'review-needed',
    { lines: policy.reviewLines },
    {
      message: `the policy has ${policy.reviewLines.length} lines marked "# review", which were guessed from the data`,
      detail: `lines ${policy.reviewLines.join(', ')} of ${policy.file}`,
      hint: 'The owner should replace each by a publicly known value, and remove the mark.',
    },
  )
}

const capText = ({ epsilon, delta }: { epsilon: Rational; delta: Rational }) =>
  `ε at ${toNumber(epsilon)}${delta.num > 0n ? ` and δ at ${toNumber(delta)}` : ''}`

const epoch =
  'Change them back, or let the owner run `reticent ledger epoch`: what was spent stays spent, and old answers are no longer used.'
const other = 'Change it back: it must stay the same for the life of a ledger.'

const changed = (key: string, message: string, hint: string) => problem('policy-changed', message, hint, { key })
