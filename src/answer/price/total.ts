import { addSpending, type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import type { Choice, Purchase } from './choice.ts'

/** Of these ways to answer parts, those that buy something. */
export const purchasesOf = (parts: readonly { readonly choice: Choice }[]): Purchase[] =>
  parts.map(({ choice }) => choice).filter((choice) => choice.kind !== 'free')

/** What all of them cost. */
export const totalOf = (parts: readonly { readonly choice: Choice }[]): Spending =>
  purchasesOf(parts)
    .map(({ price }) => price)
    .reduce(addSpending, zeroSpending)

/** What is public is free; a refinement, or what was combined, is said to be so. */
export function kindOf(parts: readonly { readonly choice: Choice }[]): Choice['kind'] {
  const priced = purchasesOf(parts).filter(({ charge }) => charge.law.kind !== 'none')
  const kinds = new Set(priced.map(({ kind }) => kind))
  return (['refined', 'combined', 'fresh'] as const).find((kind) => kinds.has(kind)) ?? 'free'
}
