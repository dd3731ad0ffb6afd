/** What the server itself says no with, beside the library's errors. Closed: programs match on these. */
type HttpCode =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'not-allowed'
  | 'conflict'
  | 'too-large'
  | 'wrong-type'
  | 'too-many-requests'
  | 'stopping'

const statuses: { readonly [K in HttpCode]: number } = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'too-many-requests': 429,
  stopping: 503,
}

export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly code: HttpCode
  readonly hint: string | undefined

  constructor(code: HttpCode, message: string, hint?: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
  get status(): number {
    return statuses[this.code]
  }
}

export const notFound = (what: string): HttpRefusal => new HttpRefusal('not-found', `there is no ${what}`)
