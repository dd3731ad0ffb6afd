import { Refusal } from '../../index.ts'
import { type ErrorCode, type Facts, ReticentError } from '../../schema/index.ts'

/** What a thread begins with. */
export interface Opened {
  readonly policyFile: string
  /** Whether the data are made ready for many purchases right away. */
  readonly warm: boolean
}

/** What a thread is told: to do something, to stop doing it, or to end. */
export type Order =
  | { readonly id: number; readonly name: string; readonly given: unknown }
  | { readonly stop: number }
  | { readonly end: true }

/** What a thread says: how far it is, what came of it, or what went wrong. */
export type Report =
  | { readonly id: number; readonly share: number; readonly doing: string | null }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: CarriedError | null }

/** An error of ours, as it goes from thread to thread; null stands for any other, whose text stays where it is. */
interface CarriedError {
  readonly code: ErrorCode
  readonly facts: Facts
  readonly message: string
  readonly detail?: string
  readonly hint?: string
  readonly free?: Refusal['free']
}

export function carried(error: unknown): CarriedError | null {
  if (!(error instanceof ReticentError)) return null
  const { code, facts, message, detail, hint } = error
  return { code, facts, message, detail, hint, ...(error instanceof Refusal && { free: error.free }) }
}

export function restored(error: CarriedError | null): Error {
  if (error === null) return new Error('a thread failed')
  const own = new ReticentError(error.code, error.facts, error)
  return error.free === undefined ? own : new Refusal(own, error.free)
}
