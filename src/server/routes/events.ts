import type { FastifyReply } from 'fastify'
import type { Job } from '../api/index.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** Proxies close what is silent for longer. */
const heartbeat = 15_000

const hasEnded = ({ state }: Job): boolean => state !== 'waiting' && state !== 'running'

/** Sends the job as it is, and again whenever it changes, until it has ended or nobody may listen any more. */
export function sendEvents(
  job: Job,
  jobs: Jobs,
  reply: FastifyReply,
  { signal, isRefused }: { readonly signal: AbortSignal; readonly isRefused: () => boolean },
): void {
  reply.hijack()
  const { raw } = reply
  const headers = reply.getHeaders() as Record<string, string>
  raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
  const send = (now: Job) => {
    if (isRefused()) return end()
    raw.write(`data: ${JSON.stringify(now)}\n\n`)
    if (hasEnded(now)) end()
  }
  const stop = jobs.follow(job.id, send)
  const beat = setInterval(() => (isRefused() ? end() : raw.write(': still here\n\n')), heartbeat)
  const end = () => {
    clearInterval(beat)
    stop()
    raw.end()
  }
  signal.addEventListener('abort', end)
  send(job)
}
