import { type Fact, ReticentError } from '../../schema/index.ts'

/** The error of every reader here that finds something other than what was written. It never guesses what was meant. */
export const corrupt = (detail: string, facts: { readonly [name: string]: Fact } = {}): ReticentError =>
  new ReticentError('ledger-corrupt', facts, {
    message: 'the ledger is damaged or was changed by something other than Reticent',
    detail,
    hint: 'Nothing can be asked until the owner restores the newest intact copy of the ledger: see docs/ledger.md.',
  })
