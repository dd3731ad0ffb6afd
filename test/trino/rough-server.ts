import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'

/** What a request was, and how often it came. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An answer: a page of the protocol (a last one says that the statement is finished), a bare status, or whatever else one does to a response. */
export type Answer = object | number | ((response: ServerResponse) => void)

/**
 * A server in this process that speaks the protocol with its rough edges. `script` gives the answer to the n-th request of a
 * path (`GET /1`); without one it answers 404. `here` is the server's own address, for nextUri.
 */
export async function roughServer(
  script: (here: string) => { readonly [request: string]: readonly Answer[] },
  tls?: { readonly certificate: string; readonly key: string },
) {
  const seen: Seen[] = []
  let answers: { readonly [request: string]: readonly Answer[] } = {}
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const piece of request) body += piece
    const { method = '', url: path = '', headers } = request
    const key = `${method} ${path}`
    const times = seen.filter((s) => `${s.method} ${s.path}` === key).length
    seen.push({ method, path, headers, body })
    const list = answers[key] ?? [404]
    answer(response, list[Math.min(times, list.length - 1)]!)
  }
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.certificate), key: readFileSync(tls.key) }, respond)
    : createServer(respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address!.port : 0
  const here = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
  answers = script(here)
  return {
    here,
    url: here.replace('://', '://me@'),
    seen,
    /** The requests so far, in their order. */
    log: () => seen.map(({ method, path }) => `${method} ${path}`),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(response: ServerResponse, what: Answer): void {
  if (typeof what === 'function') what(response)
  else if (typeof what === 'number') response.writeHead(what).end()
  else {
    const state = 'nextUri' in what ? 'RUNNING' : 'FINISHED'
    response.writeHead(200).end(JSON.stringify({ stats: { state }, ...what }))
  }
}
