import { type Static, Type } from 'typebox'
import type { Budget, HistoryEntry, Improvement, Verdict } from '../../index.ts'
import { Cost, closed, fromLibrary } from './common.ts'

export const History = Type.Object({
  releases: Type.Array(fromLibrary<HistoryEntry>('One purchase, as `reticent history --json` prints it.')),
})
export type History = Static<typeof History>

export const ImproveRequest = Type.Object(
  {
    model: Type.Optional(Type.String({ maxLength: 40, description: 'kernel: also what a model of the history says.' })),
  },
  closed,
)
export type ImproveRequest = Static<typeof ImproveRequest>
export const ImproveResponse = fromLibrary<Improvement>(
  'What the purchase says by itself (`before`), and what is known `now`.',
)
export type ImproveResponse = Static<typeof ImproveResponse>

const SpendingStep = Type.Object({
  number: Type.Number({ description: "The purchase's number in the history." }),
  at: Type.String(),
  analyst: Type.Union([Type.String(), Type.Null()]),
  cost: Cost,
})
export type SpendingStep = Static<typeof SpendingStep>

const AttributeShare = Type.Object({
  attribute: Type.String(),
  share: Type.Number({
    description: 'The share that answers involving the attribute have in the cost of the most expensive record.',
  }),
})
export type AttributeShare = Static<typeof AttributeShare>

export const BudgetResponse = Type.Object({
  budget: fromLibrary<Budget>('As `reticent budget --json` prints it; an analyst sees only her own quota.'),
  steps: Type.Array(SpendingStep, { description: 'What was bought, in order, at its own price.' }),
  attributes: Type.Array(AttributeShare, {
    description:
      'The spending by attribute. An answer about two attributes counts for both, so shares may add up to more than 1.',
  }),
})
export type BudgetResponse = Static<typeof BudgetResponse>

export const VerifyRequest = Type.Object({ receipt: Type.Optional(Type.String({ maxLength: 200 })) }, closed)
export type VerifyRequest = Static<typeof VerifyRequest>
export const VerifyResponse = fromLibrary<Verdict>('As `reticent ledger verify --json` prints it.')
export type VerifyResponse = Static<typeof VerifyResponse>

export const LedgerExport = Type.Object({ rows: Type.Array(Type.Unknown()) })
export type LedgerExport = Static<typeof LedgerExport>

const Finding = Type.Object({
  code: Type.String(),
  message: Type.String(),
  detail: Type.Optional(Type.String()),
  hint: Type.Optional(Type.String()),
})
export const CheckResponse = Type.Object({
  ok: Type.Boolean(),
  problems: Type.Array(Finding),
  promise: Type.String(),
  ledger: Type.Union([VerifyResponse, Type.Null()]),
})
export type CheckResponse = Static<typeof CheckResponse>
