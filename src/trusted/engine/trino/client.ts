import { setTimeout } from 'node:timers/promises'
import { problem } from '../../../schema/index.ts'
import type { Connection } from './connection.ts'
import {
  anotherHost,
  ledAway,
  notTrusted,
  TrinoFailure,
  tooLong,
  translated,
  unauthorized,
  unexpected,
  unreachable,
} from './failure.ts'
import { type Reply, type Transport, transportTo } from './http.ts'
import { type Page, parsePage } from './page.ts'

/** How long a busy or starting server is asked again, and how fast at first; both are for tests to shorten. */
interface Patience {
  readonly total: number
  readonly first: number
}
const patience: Patience = { total: 60_000, first: 100 }
const longestPause = 3_000

/** What a gateway or a busy server says; the same request may succeed a moment later. */
const busy = [502, 503, 504]
/** How often a page is asked for again after a connection broke: the server keeps it until it is asked for the next. */
const mostBreaks = 3

/** A statement under way. */
interface Statement {
  readonly deadline: AbortSignal
  readonly visit: (page: Page) => void
  /** To be called before records are visited. */
  readonly visited: () => void
}
type Request = NonNullable<Parameters<Transport['send']>[2]>

/** Runs statements on a Trino server. */
export class TrinoClient {
  readonly #connection: Connection
  readonly #transport: Transport
  readonly #patience: Patience
  readonly #stop = new AbortController()

  constructor(connection: Connection, given = patience) {
    this.#connection = connection
    this.#transport = transportTo(connection)
    this.#patience = given
  }

  /**
   * Runs one statement and visits the pages of its result as they come. Whatever ends it early, here or there, the server is
   * told to stop. Errors are ReticentErrors, but for a `TrinoFailure` that `expected` names: that is thrown as it is.
   */
  async run(sql: string, visit: (page: Page) => void, expected: readonly string[] = []): Promise<void> {
    const { longest } = this.#connection
    const deadline = AbortSignal.timeout(longest)
    try {
      await this.#whileStarting((visited) => this.#pages(sql, { deadline, visit, visited }))
    } catch (error) {
      if (deadline.aborted) throw tooLong(longest)
      if (error instanceof TrinoFailure && !expected.includes(error.errorName)) throw translated(error)
      throw error
    }
  }

  /** Stops whatever is running, there too, and for good. */
  stop(): void {
    this.#stop.abort()
  }

  close(): void {
    this.stop()
    this.#transport.close()
  }

  /** A server that is starting says so of every statement. What was visited must not be visited again: it would count twice. */
  async #whileStarting(work: (visited: () => void) => Promise<void>): Promise<void> {
    const pauses = this.#pauses()
    let isVisited = false
    for (;;)
      try {
        return await work(() => {
          isVisited = true
        })
      } catch (error) {
        const isStarting = error instanceof TrinoFailure && error.errorName === 'SERVER_STARTING_UP'
        if (!isStarting || isVisited || !(await pauses())) throw error
      }
  }

  async #pages(sql: string, { deadline, visit, visited }: Statement): Promise<void> {
    let next: URL | undefined
    const signal = AbortSignal.any([this.#stop.signal, deadline])
    try {
      let page = await this.#page('POST', new URL('/v1/statement', this.#connection.server), { body: sql, signal })
      for (;;) {
        next = this.#nextOf(page)
        if (page.error) throw new TrinoFailure(page.error)
        // Half a result must never be taken for the whole.
        if (!next && page.stats?.state !== 'FINISHED') throw unexpected(200)
        if (page.data?.length) visited()
        visit(page)
        if (!next) return
        page = await this.#page('GET', next, { signal })
      }
    } catch (error) {
      if (next) await this.#cancel(next)
      throw error
    }
  }

  /** The next page must be where the statement was sent: nobody else is told who we are. */
  #nextOf({ nextUri }: Page): URL | undefined {
    if (nextUri === undefined) return undefined
    const next = URL.canParse(nextUri) ? new URL(nextUri) : undefined
    if (next?.origin !== this.#connection.server.origin) throw ledAway()
    return next
  }

  async #page(method: 'POST' | 'GET', url: URL, request: Request): Promise<Page> {
    const { status, body: text } = await this.#reply(method, url, request)
    if (status === 401 || status === 403) throw unauthorized()
    if (status >= 300 && status < 400) throw ledAway()
    const page = status === 200 ? parsePage(text) : undefined
    if (!page) throw unexpected(status)
    return page
  }

  async #reply(method: 'POST' | 'GET', url: URL, request: Request): Promise<Reply> {
    const pauses = this.#pauses()
    for (let breaks = 0; ; ) {
      const reply = await this.#transport.send(method, url, request).catch((error: unknown) => {
        if (method === 'GET' && ++breaks < mostBreaks && isBroken(error)) return undefined
        throw inOurWords(error)
      })
      if (reply && !busy.includes(reply.status)) return reply
      if (!(await pauses())) throw reply ? unexpected(reply.status) : unreachable()
    }
  }

  /** The server may be gone as well; then there is nothing to stop. */
  async #cancel(at: URL): Promise<void> {
    await this.#transport.send('DELETE', at, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  }

  /** Waits longer each time; false once the patience is at its end. */
  #pauses(): () => Promise<boolean> {
    const { total, first } = this.#patience
    let [waited, pause] = [0, first]
    return async () => {
      if (waited >= total) return false
      await setTimeout(pause, undefined, { signal: this.#stop.signal }).catch((error) => {
        throw inOurWords(error)
      })
      waited += pause
      pause = Math.min(2 * pause, longestPause)
      return true
    }
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Broken off in the middle; a server that refuses to be called is gone. */
const isBroken = (error: unknown): boolean => ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE'].includes(codeOf(error))

/** Other libraries' words stay here. */
function inOurWords(error: unknown): Error {
  const code = codeOf(error)
  if (code === 'ABORT_ERR') return problem('interrupted', 'interrupted')
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return anotherHost()
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code) ? notTrusted() : unreachable()
}
