import type { AskResponse, Failure } from '../server/api/index.ts'

/** What the server says no with: its error, and the best free answer where there is one. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal'
  readonly status: number
  /** From a closed list, such as budget-exceeded; `unreachable` where nobody answered. */
  readonly code: string
  readonly detail: string | undefined
  readonly hint: string | undefined
  /** Where in the SQL: the number of its character, from 1. */
  readonly position: number | undefined
  /** Everything that the error said, for programs. */
  readonly facts: { readonly [name: string]: unknown }
  readonly free: AskResponse | undefined

  constructor(status: number, { error, free }: Failure) {
    super(error.message)
    this.status = status
    this.code = error.code
    this.detail = error.detail
    this.hint = error.hint
    this.position = error.position
    this.facts = error
    this.free = free as AskResponse | undefined
  }
}
