import { Type } from 'typebox'
import { problem } from '../../schema/index.ts'
import { Job, JobPlan, JobRequest } from '../api/index.ts'
import { type App, analystOf, type Context, type Served, servedFor } from '../app.ts'
import { HttpRefusal } from '../http-refusal.ts'
import { DatasetParams, datasetPath, JobParams, responses } from './common.ts'
import { sendEvents } from './events.ts'

/** On whose behalf the whole job is. */
const onBehalf = (
  { dataset, grant }: Served & { readonly grant: Parameters<typeof analystOf>[0] },
  request: JobRequest,
): JobRequest =>
  ({
    ...request,
    options: { ...request.options, ...analystOf(grant, dataset.policy, request.options.as) },
  }) as JobRequest

/** A plan needs to know about how many records there are; what it costs does not depend on it. */
const roughly = (order: JobRequest): JobRequest =>
  order.kind === 'tree'
    ? order
    : ({ ...order, options: { ...order.options, records: order.options.records ?? 100_000 } } as JobRequest)

function refuseTooDear(plan: JobPlan): void {
  if (!('affordable' in plan) || plan.affordable) return
  const [asked, left] = [plan.cost.epsilon, plan.left.epsilon]
  throw problem(
    'budget-exceeded',
    `this costs ε = ${asked}, but only ${left} is left`,
    'Ask for less, or make it from earlier answers: free.',
    { asked, left },
  )
}

/** Releases and synthetic tables: they take long, so that they are started, followed, and fetched when they are done. */
export function jobRoutes(app: App, context: Context): void {
  app.post(
    `${datasetPath}/jobs/plan`,
    {
      config: { slow: true },
      schema: {
        summary: 'What a release or a synthetic table would cost, and how noisy it would be. Buys nothing.',
        params: DatasetParams,
        body: JobRequest,
        response: responses(200, JobPlan),
      },
    },
    async (request) => {
      const served = servedFor(context, request, request.params.dataset)
      return served.dataset.thread.do('planJob', onBehalf(served, request.body), { signal: request.stopped })
    },
  )

  app.post(
    `${datasetPath}/jobs`,
    {
      config: { slow: true },
      schema: {
        summary: 'Starts a release or a synthetic table.',
        params: DatasetParams,
        body: JobRequest,
        response: responses(202, Job),
      },
    },
    async (request, reply) => {
      const served = servedFor(context, request, request.params.dataset)
      const order = onBehalf(served, request.body)
      served.jobs.admit(order, served.grant)
      // What would be refused is refused now, not when its turn has come.
      const isFree = 'free' in order.options && order.options.free === true
      if (!isFree) refuseTooDear(await served.dataset.thread.do('planJob', roughly(order), { signal: request.stopped }))
      const job = served.jobs.start(order, served.grant, order.options.as ?? null)
      request.note.job = job.id
      return reply.code(202).send(job)
    },
  )

  const List = Type.Object({ jobs: Type.Array(Job) })
  app.get(
    `${datasetPath}/jobs`,
    { schema: { summary: 'All jobs, oldest first.', params: DatasetParams, response: responses(200, List) } },
    async (request) => ({ jobs: servedFor(context, request, request.params.dataset).jobs.list() }),
  )
  app.get(
    `${datasetPath}/jobs/:id`,
    { schema: { summary: 'The state of one job.', params: JobParams, response: responses(200, Job) } },
    async (request) => servedFor(context, request, request.params.dataset).jobs.get(request.params.id),
  )
  app.get(
    `${datasetPath}/jobs/:id/events`,
    { schema: { summary: 'Progress of the job: server-sent events, until it has ended.', params: JobParams } },
    async (request, reply) => {
      const { jobs, grant } = servedFor(context, request, request.params.dataset)
      const job = jobs.get(request.params.id)
      sendEvents(job, jobs, reply, {
        signal: request.stopped,
        isRefused: () => context.access.isRevoked(grant.tokenId),
      })
    },
  )
  const requireOwn = ({ jobs, grant }: ReturnType<typeof servedFor>, id: string) => {
    if (grant.role === 'analyst' && !jobs.isOf(id, grant))
      throw new HttpRefusal('forbidden', 'somebody else has started this job')
  }
  app.delete(
    `${datasetPath}/jobs/:id`,
    {
      schema: {
        summary: 'Stops a job; what it has spent stays spent.',
        params: JobParams,
        response: responses(200, Job),
      },
    },
    async (request) => {
      const served = servedFor(context, request, request.params.dataset)
      requireOwn(served, request.params.id)
      return served.jobs.cancel(request.params.id)
    },
  )
  app.delete(
    `${datasetPath}/jobs/:id/files`,
    {
      schema: {
        summary: 'Deletes the files of a job that has ended; what it was and what it spent stays known.',
        params: JobParams,
        response: responses(200, Job),
      },
    },
    async (request) => {
      const served = servedFor(context, request, request.params.dataset)
      requireOwn(served, request.params.id)
      return served.jobs.deleteFiles(request.params.id)
    },
  )
}
