import { ReticentError } from '../schema/index.ts'

/** An error for programs. Its own code and words win over a fact of the same name, whoever threw it. */
export function failureJson(error: unknown): object {
  if (!(error instanceof ReticentError)) return { code: 'internal', message: internal }
  const { code, message, detail, hint } = error
  const own = { code, message, detail, hint }
  return { ...own, ...error.facts, ...own }
}

/** An error for people. */
export function failureText(error: unknown): string {
  if (!(error instanceof ReticentError)) return `reticent: ${internal}`
  return [`reticent: ${error.message}`, error.detail, error.hint && `hint: ${error.hint}`].filter(Boolean).join('\n')
}

/** The same below what somebody has just typed: the place in it first, then what is wrong there. */
export function failureAtPrompt(error: unknown): string {
  if (!(error instanceof ReticentError)) return internal
  return [error.detail, error.message, error.hint].filter(Boolean).join('\n')
}

/** A mistake of ours. Its text may quote anything, data included, so it is not shown to anybody. */
const internal = 'something went wrong inside Reticent itself; details are withheld, because they might reveal data'
