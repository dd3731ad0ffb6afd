import { type AnswerCharge, addSpending, type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import type { Known } from '../known/known.ts'

/** How a part of a question can be answered as precisely as it was asked for. */
export type Choice =
  | { readonly kind: 'free'; readonly known: readonly Known[] }
  | { readonly kind: 'fresh' | 'combined'; readonly charge: AnswerCharge; readonly price: Spending }
  | {
      readonly kind: 'refined'
      readonly charge: AnswerCharge
      readonly price: Spending
      readonly parent: string
    }

export type PaidChoice = Exclude<Choice, { kind: 'free' }>

/** Of these ways to answer parts, those that buy something. */
export const purchasesOf = (parts: readonly { readonly choice: Choice }[]): PaidChoice[] =>
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
