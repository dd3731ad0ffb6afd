import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import swagger from '@fastify/swagger'
import fastify from 'fastify'
import { loadPolicy, usage } from '../schema/index.ts'
import { Access } from './access/access.ts'
import { isLoopback } from './access/origin.ts'
import { tokensFileOf } from './access/tokens.ts'
import type { Job } from './api/index.ts'
import type { App, Context, TypeBoxProvider } from './app.ts'
import { openAll, type ServedDataset } from './datasets/served-dataset.ts'
import { hooks } from './hooks.ts'
import { Jobs } from './jobs/jobs.ts'
import { defaultLimits, type JobLimits } from './jobs/limits.ts'
import type { Log } from './log.ts'
import { Metrics } from './metrics.ts'
import { accountRoutes } from './routes/accounts.ts'
import { datasetRoutes } from './routes/datasets.ts'
import { docsRoutes } from './routes/docs.ts'
import { jobResultRoutes } from './routes/job-results.ts'
import { jobRoutes } from './routes/jobs.ts'
import { ownerRoutes } from './routes/owner.ts'
import { pageRoutes } from './routes/page.ts'
import { questionRoutes } from './routes/questions.ts'
import { systemRoutes } from './routes/system.ts'
import { tokenRoutes } from './routes/tokens.ts'

/** What a server serves, to whom, and where. */
interface ServeOptions {
  /** One file per data set. */
  readonly policies: readonly string[]
  /** 127.0.0.1 unless said: others need tokens. */
  readonly host?: string
  /** 0 for any that is free. */
  readonly port?: number
  /** Beside each policy unless said. */
  readonly tokens?: string
  /** Names that the server goes by, beside this machine's own. */
  readonly allowHosts?: readonly string[]
  /** Files with the certificate and its key, as PEM. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Believe a proxy about addresses and names. */
  readonly trustProxy?: boolean
  /** Requests a second of one token: 100 unless said, 0 for no limit. */
  readonly rate?: number
  /** What jobs may take up, where it is not what is usual. */
  readonly jobs?: Partial<JobLimits>
  /** The folder with the page. */
  readonly page?: string
  /** Whether everything is opened and read before somebody asks; unless said it is. */
  readonly warm?: boolean
  /** How many milliseconds requests may take to end when the server stops. */
  readonly patience?: number
  readonly log: Log
}

export interface RunningServer {
  readonly url: string
  readonly isOpen: boolean
  /** Takes no more requests, lets those under way end, stops jobs, and closes the data sets. */
  close(): Promise<void>
}

/** A request may be as long as this; a statement is at most 100,000 characters. */
const mostBytes = 512 * 1024
/** Whoever takes longer to say what he wants is cut off, and this is how often that is looked for. In milliseconds. */
const slow = { headersTimeout: 10_000, connectionsCheckingInterval: 2000 }
/** So many at once: a process that can open no more files could not open its ledger either. */
const mostConnections = 1000
/** How often revoked tokens are looked for. */
const watch = 1000

/** Starts a server. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { policies, host = '127.0.0.1', port = 8080, log, patience = 10_000 } = options
  const read = await Promise.all(policies.map((file) => loadPolicy(file)))
  const access = new Access(
    options.tokens
      ? [{ file: options.tokens, datasets: read.map(({ dataset }) => dataset) }]
      : read.map(({ file, dataset }) => ({ file: tokensFileOf(file), datasets: [dataset] })),
  )
  if (!isLoopback(host) && access.isOpen)
    throw usage(
      `without tokens the server listens only on this machine, not on ${host}`,
      'Make one first: reticent token add --owner.',
    )
  // Whoever comes through a proxy on this machine looks as if from it, and would be taken for the owner.
  if (access.isOpen && (options.trustProxy || options.allowHosts?.length))
    throw usage(
      'a server that is reached through a proxy or by another name needs tokens',
      'Make one first: reticent token add --owner.',
    )
  const datasets = await openAll(policies)
  const lastCall = new AbortController()
  try {
    const context = await contextOf(datasets, access, log, { ...defaultLimits, ...options.jobs })
    const app = await appWith(context, options, { lastCall: lastCall.signal, isLocal: isLoopback(host) })
    await app.listen({ host, port }).catch(() => {
      throw usage(`the server cannot listen on ${host}:${port}`, 'Is something else there? Try --port 0.')
    })
    const watching = setInterval(() => {
      for (const { jobs } of context.served.values()) jobs.cancelOf((id) => access.isRevoked(id))
    }, watch).unref()
    const url = addressOf(app, host, options.tls !== undefined)
    if (options.warm !== false) for (const dataset of datasets) dataset.warm()
    log({ event: 'listening', url, datasets: datasets.map(({ name }) => name), open: access.isOpen })
    const close = async () => {
      log({ event: 'stopping' })
      clearInterval(watching)
      const late = setTimeout(() => {
        lastCall.abort()
        // Whoever holds a connection open and says nothing would keep the server from ending.
        cut = setTimeout(() => app.server.closeAllConnections(), 1000)
      }, patience)
      let cut: NodeJS.Timeout | undefined
      const jobs = Promise.all([...context.served.values()].map((served) => served.jobs.close(lastCall.signal)))
      await Promise.all([app.close(), jobs])
      clearTimeout(late)
      clearTimeout(cut)
      await Promise.all(datasets.map((dataset) => dataset.close()))
      log({ event: 'stopped' })
    }
    return { url, isOpen: access.isOpen, close }
  } catch (error) {
    await Promise.all(datasets.map((dataset) => dataset.close()))
    throw error
  }
}

async function contextOf(
  datasets: readonly ServedDataset[],
  access: Access,
  log: Log,
  limits: JobLimits,
): Promise<Context> {
  const metrics = new Metrics()
  const served = await Promise.all(
    datasets.map(async (dataset) => {
      const ended = ({ id, kind, analyst, state, cost, error }: Job) => {
        metrics.count('reticent_jobs_total', { dataset: dataset.name, kind, state })
        const why = error && { error: error.code }
        log({ event: 'job', dataset: dataset.name, job: id, kind, who: analyst, state, cost: cost?.epsilon, ...why })
      }
      const jobs = new Jobs(dataset, { limits, ended })
      await jobs.restore()
      return [dataset.name, { dataset, jobs }] as const
    }),
  )
  return { served: new Map(served), access, metrics, log }
}

async function appWith(
  context: Context,
  { allowHosts = [], tls, trustProxy = false, rate = 100, page, tokens }: ServeOptions,
  { lastCall, isLocal }: { readonly lastCall: AbortSignal; readonly isLocal: boolean },
): Promise<App> {
  const app = fastify({
    bodyLimit: mostBytes,
    trustProxy,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    http: slow,
    exposeHeadRoutes: false,
    // Requests are taken as they are: nothing is guessed, and nothing is left out.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true } },
    ...(tls && { https: { ...secured(tls), ...slow } }),
    routerOptions: { maxParamLength: 300 },
  }).withTypeProvider<TypeBoxProvider>() as unknown as App
  app.server.maxConnections = mostConnections
  app.removeContentTypeParser('text/plain')
  // Answers are as they were made; their schemas describe them.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  const hosts = isLocal || allowHosts.length > 0 ? [...(isLocal ? ['localhost'] : []), ...allowHosts] : undefined
  hooks(app, context, { hosts, rate, lastCall })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Reticent', description: 'Private answers about tables, from a budget.', version: '1' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
  })
  app.after(() => {
    systemRoutes(app, context)
    docsRoutes(app)
    datasetRoutes(app, context)
    questionRoutes(app, context)
    accountRoutes(app, context)
    jobRoutes(app, context)
    jobResultRoutes(app, context)
    ownerRoutes(app, context)
    tokenRoutes(app, context, tokens)
    pageRoutes(app, page)
  })
  await app.ready()
  return app
}

/** A certificate and the key that belongs to it; found out before anybody connects. */
function secured({ cert, key }: NonNullable<ServeOptions['tls']>): { cert: Buffer; key: Buffer } {
  const files = { cert: pem(cert), key: pem(key) }
  try {
    createSecureContext(files)
  } catch {
    throw usage(
      `${cert} and ${key} are not a certificate and its key`,
      'Both must be in PEM format, and belong together.',
    )
  }
  return files
}

function pem(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw usage(`${file} cannot be read`, 'It must be a file in PEM format.')
  }
}

function addressOf(app: App, host: string, isTls: boolean): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
