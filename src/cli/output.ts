import { ReticentError } from '../schema/index.ts'

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
    if (json) process.stdout.write(`${JSON.stringify({ error: asJson(error), ...free })}\n`)
    else process.stderr.write(`${asText(error)}\n`)
  },
})

function asJson(error: unknown): object {
  if (!(error instanceof ReticentError)) return { code: 'internal', message: internal }
  const { code, message, detail, hint, facts } = error
  return { code, message, ...(detail ? { detail } : {}), ...(hint ? { hint } : {}), ...facts }
}

function asText(error: unknown): string {
  if (!(error instanceof ReticentError)) return `reticent: ${internal}`
  return [`reticent: ${error.message}`, error.detail, error.hint && `hint: ${error.hint}`].filter(Boolean).join('\n')
}

/** A mistake of ours. Its text may quote anything, data included, so it is not shown to anybody. */
const internal =
  'something went wrong inside Reticent itself; nothing more is shown, because it might tell about the data'
