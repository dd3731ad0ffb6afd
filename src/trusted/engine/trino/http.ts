import { Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { Connection } from './connection.ts'

export interface Reply {
  readonly status: number
  readonly body: string
}

/** Requests to one server. */
export interface Transport {
  /** Rejects where there is no whole reply: refused, broken off, not trusted, too slow, or aborted. */
  send(method: 'POST' | 'GET' | 'DELETE', url: URL, options?: { body?: string; signal?: AbortSignal }): Promise<Reply>
  close(): void
}

/** A server that says nothing for so long is gone; while a statement runs, it answers every second. */
const longestSilence = 60_000

/** Trino's pages have some megabytes; one without an end would fill the memory, and no text can be that long. */
const largestReply = 2 ** 28

/**
 * Node's own requests, not fetch: fetch follows redirects, and cannot be given certificates for one connection without
 * changing them for the whole process.
 */
export function transportTo({ server, headers, ca }: Connection): Transport {
  const isTls = server.protocol === 'https:'
  const agent = isTls ? new TlsAgent({ keepAlive: true, ca }) : new PlainAgent({ keepAlive: true })
  return {
    send: (method, url, { body, signal } = {}) =>
      new Promise((resolve, reject) => {
        const begin = isTls ? tlsRequest : plainRequest
        const request = begin(url, { method, agent, headers, signal, timeout: longestSilence }, (response) => {
          const pieces: Buffer[] = []
          let size = 0
          response.on('data', (piece: Buffer) => {
            size += piece.length
            if (size > largestReply) request.destroy(new Error('a reply without an end'))
            else pieces.push(piece)
          })
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(pieces).toString() }))
        })
        request.on('timeout', () => request.destroy(new Error('silence')))
        request.on('error', reject)
        request.end(body)
      }),
    close: () => agent.destroy(),
  }
}
