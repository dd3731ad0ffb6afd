import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkOrigin, checkSite } from './access/origin.ts'
import { RateLimit } from './access/rate-limit.ts'
import { UnderWay } from './access/under-way.ts'
import type { App, Context } from './app.ts'
import { tell } from './failure.ts'
import { HttpRefusal } from './http-refusal.ts'
import { shortened } from './log.ts'

/** Nothing from elsewhere, nothing inline, in nobody's frame. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

interface HookOptions {
  /** Names that the server goes by; undefined: any. */
  readonly hosts: readonly string[] | undefined
  /** Requests a second of one token, or one address. */
  readonly rate: number
  /** Aborted when the server will wait no longer. */
  readonly lastCall: AbortSignal
}

/** So many wrong tokens a second from one address. */
const guesses = 5

/** So many answers may wait on one connection: whoever sends requests without end and reads no answer would fill the memory. */
const mostWaiting = 8
/** Whoever reads nothing of an answer for so many milliseconds is cut off, or a thousand such would keep out everybody else. */
const patience = 20_000

/** Bytes of requests that one caller may wait for answers to, and how many of those that may take seconds: these wait in one line. */
const mostUnderWay = 8 * 1024 * 1024
const mostSlow = 6

/** Who does not say how long a request is could send as much as may be; more than that is refused before it is read. */
function bytesOf({ headers, routeOptions: { bodyLimit = 0 } }: FastifyRequest): number {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : bodyLimit
  return Math.min(length, bodyLimit)
}

const isSlow = ({ routeOptions, body }: FastifyRequest): boolean =>
  routeOptions.config.slow === true ||
  (routeOptions.config.models === true && (body as { model?: unknown }).model !== undefined)

/** What is done with every request: who sent it and may they, when does it stop, what is said of it. */
export function hooks(app: App, { access, metrics, log }: Context, { hosts, rate, lastCall }: HookOptions): void {
  const requests = new RateLimit(rate)
  const failures = new RateLimit(guesses)
  const underWay = new UnderWay(mostUnderWay)
  const slow = new UnderWay(mostSlow)
  const tooMany = () =>
    new HttpRefusal('too-many-requests', 'too many requests in a short time', 'Wait a second, then continue.')

  const waiting = new WaitingAnswers()

  app.addHook('onRequest', async (request, reply) => {
    if (waiting.add(reply) > mostWaiting) {
      request.raw.socket.destroy()
      return reply.hijack()
    }
    for (const [name, value] of Object.entries(headers)) reply.header(name, value)
    request.note = {}
    request.stopped = stoppedWith(reply, lastCall)
    // Two names: a proxy may have looked at the other one.
    if ((request.raw.headersDistinct.host?.length ?? 0) > 1)
      throw new HttpRefusal('bad-request', 'the request names two hosts')
    checkOrigin({ host: request.host, origin: request.headers.origin }, hosts)
    if (!isApi(request)) return
    checkSite(request.headers['sec-fetch-site'])
    reply.header('cache-control', 'no-store')
    try {
      request.caller = access.callerOf(request.headers.authorization, request.ip)
    } catch (error) {
      if (request.headers.authorization !== undefined && failures.isExceeded(request.ip)) throw tooMany()
      throw error
    }
    const { key } = request.caller
    if (requests.isExceeded(key) || underWay.isExceeded(key, bytesOf(request), reply.raw)) throw tooMany()
  })

  app.addHook('preHandler', async (request, reply) => {
    if (isSlow(request) && slow.isExceeded(request.caller.key, 1, reply.raw)) throw tooMany()
  })

  app.addHook('onSend', async (request) => {
    request.raw.socket.setTimeout(patience)
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.count('reticent_requests_total', { method: request.method, route, status: reply.statusCode })
    metrics.duration(reply.elapsedTime / 1000)
    if (isApi(request)) log({ event: 'request', ...lineOf(request, reply, route) })
  })

  app.setErrorHandler((error, request, reply) => {
    const { status, body } = tell(error)
    request.note.kind = body.error.code
    if (typeof body.error.paid === 'number') request.note.cost = body.error.paid
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    if (status === 429) reply.header('retry-after', '1')
    return reply.code(status).type('application/json').send(body)
  })
  app.setNotFoundHandler((_, reply) => {
    const { status, body } = tell(new HttpRefusal('not-found', 'there is nothing at this address', 'See /docs.'))
    return reply.code(status).send(body)
  })
}

/** How many answers wait on each connection, in line or to be read. */
class WaitingAnswers {
  readonly #counts = new WeakMap<FastifyRequest['raw']['socket'], number>()

  add({ raw, request }: FastifyReply): number {
    const { socket } = request.raw
    const count = (this.#counts.get(socket) ?? 0) + 1
    this.#counts.set(socket, count)
    raw.on('close', () => this.#counts.set(socket, this.#counts.get(socket)! - 1))
    return count
  }
}

/** By the route that was found, not by how its address was spelled: %61pi is api, too. */
const isApi = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.startsWith('/api/') === true

/** Aborted when whoever asked has gone away before the end, or the server will wait no longer. */
function stoppedWith(reply: FastifyReply, lastCall: AbortSignal): AbortSignal {
  const gone = new AbortController()
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return AbortSignal.any([gone.signal, lastCall])
}

function lineOf(request: FastifyRequest, reply: FastifyReply, route: string) {
  const { dataset } = (request.params ?? {}) as { dataset?: string }
  const grant = request.caller?.grants.find((each) => each.dataset === dataset) ?? request.caller?.grants[0]
  const { sql, ...note } = request.note
  return {
    who: grant ? (grant.name ?? grant.role) : null,
    token: grant?.tokenId ?? null,
    method: request.method,
    route,
    ...(dataset !== undefined && { dataset: dataset.slice(0, 200) }),
    ...(sql !== undefined && { sql: shortened(sql) }),
    ...note,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
  }
}
