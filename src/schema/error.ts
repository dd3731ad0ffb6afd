/** Everything that can go wrong on purpose. Closed: programs match on these, so a code never changes its meaning. */
export type ErrorCode =
  | 'usage'
  | 'policy-missing'
  | 'policy-invalid'
  | 'policy-changed'
  | 'review-needed'
  | 'source-missing'
  | 'source-unreadable'
  | 'source-changed'
  | 'sql-syntax'
  | 'sql-unsupported'
  | 'unknown-name'
  | 'not-an-edge'
  | 'too-many-terms'
  | 'query-invalid'
  | 'scale-invalid'
  | 'budget-exceeded'
  | 'analyst-required'
  | 'analyst-unknown'
  | 'guarded'
  | 'not-refinable'
  | 'not-estimable'
  | 'ledger-missing'
  | 'ledger-exists'
  | 'ledger-corrupt'
  | 'ledger-rolled-back'
  | 'ledger-busy'
  | 'ledger-two-names'
  | 'ledger-moved'
  | 'ledger-unwritable'
  | 'ledger-unreachable'
  | 'ledger-unsafe'
  | 'ledger-closed'
  | 'ledger-refused'
  | 'engine-failed'
  | 'output-unwritable'
  | 'interrupted'
  | 'failed-after-charge'
  | 'not-supported'

/** A fact that an error carries for programs. Public values only: never a value or a count from the data. */
export type Fact = string | number | boolean | null | readonly Fact[] | { readonly [name: string]: Fact }

/** An error's facts by name. They are printed beside its code and its words, and so are never called like those. */
export type Facts = { readonly [name: string]: Fact } & {
  readonly [K in 'code' | 'message' | 'detail' | 'hint']?: never
}

export interface Explanation {
  /** What happened, in one sentence. */
  message: string
  /** The circumstances: a position in the SQL, a list of mistakes. */
  detail?: string
  /** What to do next. */
  hint?: string
}

export class ReticentError extends Error {
  override readonly name = 'ReticentError'
  readonly code: ErrorCode
  readonly facts: Facts
  readonly detail?: string
  readonly hint?: string

  constructor(code: ErrorCode, facts: Facts, explanation: Explanation) {
    super(explanation.message)
    this.code = code
    this.facts = facts
    this.detail = explanation.detail
    this.hint = explanation.hint
  }
}

/** An error of which everything is said in two sentences: what happened, and what to do next. */
export const problem = (code: ErrorCode, message: string, hint?: string, facts: Facts = {}): ReticentError =>
  new ReticentError(code, facts, { message, hint })

/** What makes no sense, as it was typed or passed. */
export const usage = (message: string, hint?: string): ReticentError => problem('usage', message, hint)

/** What comes of work; undefined if it fails with an error of ours, which goes into the list. Other errors are mistakes, and are thrown. */
export async function collecting<T>(problems: ReticentError[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ReticentError)) throw error
    problems.push(error)
    return undefined
  }
}
