import type { Failure } from '../server/api/index.ts'
import { ServerRefusal } from './refusal.ts'

/** Where the server is, and who asks. */
export interface Connection {
  /** https://data.example.org: the address of the page itself unless said. */
  readonly url?: string
  readonly token?: string
  /** For requests another way than with `fetch`. */
  readonly fetch?: typeof fetch
}

/** What every request may be given. */
export interface RequestOptions {
  readonly signal?: AbortSignal
}

type Method = 'GET' | 'POST' | 'DELETE'

/** Requests with the token, and refusals thrown as such. */
export class Transport {
  readonly #base: string
  readonly #token: string | undefined
  readonly #fetch: typeof fetch

  constructor({ url = '', token, fetch: other = fetch }: Connection) {
    this.#base = url.replace(/\/+$/, '')
    this.#token = token
    // A browser's fetch must not be called as a member of something else.
    this.#fetch = (input, init) => other(input, init)
  }

  async json<T>(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    const response = await this.response(method, path, body, options)
    return (response.status === 204 ? undefined : await response.json()) as T
  }

  async response(method: Method, path: string, body?: unknown, { signal }: RequestOptions = {}): Promise<Response> {
    const headers = {
      ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const init = { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await this.#fetch(`${this.#base}${path}`, init).catch((error) => {
      throw signal?.aborted ? error : unreachable()
    })
    if (response.ok) return response
    throw new ServerRefusal(response.status, await failureIn(response))
  }
}

const unreachable = () =>
  new ServerRefusal(0, {
    error: {
      code: 'unreachable',
      message: 'the server does not answer',
      hint: 'Is it running, and is the address right?',
    },
  })

async function failureIn(response: Response): Promise<Failure> {
  const body = (await response.json().catch(() => undefined)) as Failure | undefined
  if (typeof body?.error?.message === 'string') return body
  return { error: { code: 'unreachable', message: `the server answered with status ${response.status}` } }
}
