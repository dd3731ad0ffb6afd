import type { FastifyError } from 'fastify'
import { type ErrorCode, nearest, ReticentError } from '../schema/index.ts'
import type { Failure } from './api/index.ts'
import { HttpRefusal } from './http-refusal.ts'

/** A status, and what is said with it. */
interface Told {
  readonly status: number
  readonly body: Failure
}

/** What the library's errors come to; 503 where only the owner can help. A code without a row does not compile. */
const statuses: { readonly [K in ErrorCode]: number } = {
  usage: 400,
  'policy-missing': 503,
  'policy-invalid': 503,
  'policy-changed': 503,
  'review-needed': 503,
  'source-missing': 503,
  'source-unreadable': 503,
  'source-changed': 503,
  'sql-syntax': 400,
  'sql-unsupported': 400,
  'unknown-name': 400,
  'not-an-edge': 400,
  'too-many-terms': 400,
  'query-invalid': 400,
  'scale-invalid': 400,
  'budget-exceeded': 402,
  'analyst-required': 403,
  'analyst-unknown': 403,
  guarded: 403,
  'not-refinable': 422,
  'not-estimable': 422,
  'ledger-missing': 503,
  'ledger-exists': 503,
  'ledger-corrupt': 503,
  'ledger-rolled-back': 503,
  'ledger-busy': 503,
  'ledger-two-names': 503,
  'ledger-moved': 503,
  'ledger-unwritable': 503,
  'ledger-unreachable': 503,
  'ledger-unsafe': 503,
  'ledger-closed': 503,
  'ledger-refused': 503,
  'engine-failed': 503,
  'output-unwritable': 503,
  interrupted: 503,
  'failed-after-charge': 500,
  'not-supported': 400,
}

/** An error as the caller may see it. Whatever is not ours may quote anything, data included, and is not shown. */
export function tell(error: unknown): Told {
  if (error instanceof ReticentError)
    return { status: isForOwner(error) ? 503 : (statuses[error.code] ?? 500), body: ofLibrary(error) }
  if (error instanceof HttpRefusal) {
    const { status, code, message, hint } = error
    return { status, body: { error: { code, message, ...(hint && { hint }) } } }
  }
  const known = ofFastify(error as FastifyError)
  return known ? tell(known) : { status: 500, body: { error: { code: 'internal', message: internal } } }
}

const internal = 'something went wrong inside Reticent itself; details are withheld, because they might reveal data'

/** What only the owner can put right: by its code, or since it names a file or a place on the machine. */
const isForOwner = ({ code, facts }: ReticentError): boolean =>
  statuses[code] === 503 || ['path', 'file', 'place'].some((name) => name in facts)

/** What only the owner can put right names files and hosts: it is for the owner's terminal. What was paid is said. */
function ofLibrary(error: ReticentError): Failure {
  const { code, message, detail, hint, facts } = error
  const paid = typeof facts.paid === 'number' && { paid: facts.paid }
  if (code === 'ledger-busy')
    return { error: { ...paid, code, message: 'the ledger is busy', hint: 'Try again in a moment.' } }
  if (isForOwner(error) && code !== 'interrupted') {
    return { error: { ...paid, code, message: ownersMessage, hint: 'The owner runs `reticent check`.' } }
  }
  const own = { code, message, ...(detail && { detail }), ...(hint && { hint }) }
  const free = 'free' in error && error.free ? { free: error.free } : {}
  return { error: { ...own, ...facts, ...own }, ...free }
}

const ownersMessage = 'the data set cannot be asked now; its owner must fix a problem'

/** The framework's refusals of a request that it cannot read. */
function ofFastify({ code, statusCode, validation, validationContext }: FastifyError): HttpRefusal | undefined {
  if (validation) return invalid(validation[0]!, validationContext)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new HttpRefusal('too-large', 'the request is too large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new HttpRefusal('wrong-type', 'the request must be JSON', 'Say Content-Type: application/json.')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new HttpRefusal('bad-request', 'the request cannot be read', 'Is its body JSON?')
  return undefined
}

type Fault = NonNullable<FastifyError['validation']>[number]

/** What does not fit the schema, in words that name fields alone: never what was in them. */
function invalid({ instancePath, keyword, params, message, ...rest }: Fault, where = 'body'): HttpRefusal {
  const field = instancePath.replace(/^\//, '').replaceAll('/', '.')
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).slice(0, 60)
    const known = (rest as { parentSchema?: { properties?: object } }).parentSchema?.properties ?? {}
    const meant = nearest(name, Object.keys(known))
    return new HttpRefusal(
      'bad-request',
      `there is no field ${JSON.stringify(name)}${field && ` in ${field}`}${meant ? `; did you mean ${meant}?` : ''}`,
    )
  }
  return new HttpRefusal('bad-request', `${field || (where === 'body' ? 'the request' : where)} ${message}`)
}
