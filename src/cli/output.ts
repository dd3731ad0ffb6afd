import { ReticentError } from '../schema/index.ts'
import { failureJson, failureText } from './failure.ts'

/** Where a command's words go: results to stdout, the rest to stderr; with --json one object to stdout. */
export interface Output {
  readonly json: boolean
  /** The result: as an object for programs, as text for people. */
  result(value: unknown, text: string): void
  /** Something a person would like to know besides. */
  note(text: string): void
  failure(error: unknown): void
}

export const output = (json: boolean): Output => ({
  json,
  result: (value, text) => process.stdout.write(`${json ? JSON.stringify(value) : text}\n`),
  note: (text) => {
    if (!json) process.stderr.write(`${text}\n`)
  },
  failure: (error) => {
    // A refusal brings the best free answer along.
    const free = error instanceof ReticentError && 'free' in error && error.free ? { free: error.free } : {}
    if (json) process.stdout.write(`${JSON.stringify({ error: failureJson(error), ...free })}\n`)
    else process.stderr.write(`${failureText(error)}\n`)
  },
})
