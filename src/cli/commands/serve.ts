import { fileURLToPath } from 'node:url'
import { usage } from '../../schema/index.ts'
import { jsonLog, type RunningServer, serve as startServer } from '../../server/index.ts'
import type { Output } from '../output.ts'

interface ServeFlags {
  policy: string[]
  tokens?: string
  host: string
  port: string
  tlsCert?: string
  tlsKey?: string
  allowHost?: string[]
  trustProxy: boolean
  rate: string
  jobRows: string
  jobSpace: string
  allJobSpace: string
  jobDays: string
}

/**
 * Answers questions over HTTP until it is told to stop; then it takes no more, lets those under way end, and closes. The log, one
 * JSON object a line, goes to stderr.
 *
 *     reticent serve --policy census.yaml --port 9000
 */
export async function serve(flags: ServeFlags, out: Output, signal: AbortSignal): Promise<void> {
  const server = await started(flags)
  await out.result({ url: server.url, open: server.isOpen }, greeting(server))
  await until(signal)
  await server.close()
}

/** The page that stands in the bundle. */
export const pageFolder = (): string => fileURLToPath(new URL('../web', import.meta.url))

const started = (flags: ServeFlags) => {
  const { policy, tokens, host, port, tlsCert, tlsKey, allowHost, trustProxy, rate } = flags
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw usage('--tls-cert and --tls-key go together')
  return startServer({
    policies: policy,
    host,
    port: wholeNumber(port, '--port', 65_535),
    rate: wholeNumber(rate, '--rate', 1_000_000),
    jobs: jobLimits(flags),
    trustProxy,
    ...(tokens !== undefined && { tokens }),
    ...(allowHost && { allowHosts: allowHost.map((name) => name.toLowerCase()) }),
    ...(tlsCert !== undefined && { tls: { cert: tlsCert, key: tlsKey! } }),
    page: pageFolder(),
    log: jsonLog((line) => process.stderr.write(line)),
  })
}

const gigabyte = 1e9

const jobLimits = ({ jobRows, jobSpace, allJobSpace, jobDays }: ServeFlags) => ({
  rows: wholeNumber(jobRows, '--job-rows', 100_000_000),
  bytes: gigabyte * wholeNumber(jobSpace, '--job-space', 1_000_000),
  allBytes: gigabyte * wholeNumber(allJobSpace, '--all-job-space', 1_000_000),
  days: wholeNumber(jobDays, '--job-days', 100_000),
})

function wholeNumber(text: string, flag: string, most: number): number {
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw usage(`${flag} must be a whole number up to ${most}, not ${JSON.stringify(text)}`)
}

const greeting = ({ url, isOpen }: RunningServer): string =>
  isOpen
    ? `listening on ${url}, open to everybody on this machine; make tokens with \`reticent token add\``
    : `listening on ${url}`

/** Waits for the signal. */
export const until = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
