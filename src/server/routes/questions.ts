import type { FastifyRequest } from 'fastify'
import { AskRequest, AskResponse, Curve, CurveRequest, PlanRequest, PlanResponse } from '../api/index.ts'
import { type App, analystOf, type Context, type Served, servedFor } from '../app.ts'
import { DatasetParams, datasetPath, responses } from './common.ts'

type Question = FastifyRequest & { readonly params: { readonly dataset: string }; readonly body: Asked }
type Asked = { readonly sql: string; readonly as?: string }

const askingOf = ({ caller, stopped }: FastifyRequest) => ({ caller: caller.key, signal: stopped })

/** Questions: what they would cost, at one precision or at many, and their answers. */
export function questionRoutes(app: App, context: Context): void {
  const question = <B extends Asked>(request: Question & { readonly body: B }): Served & { readonly body: B } => {
    const { grant, ...served } = servedFor(context, request, request.params.dataset)
    request.note.sql = request.body.sql
    return { ...served, body: { ...request.body, ...analystOf(grant, served.dataset.policy, request.body.as) } }
  }

  app.post(
    `${datasetPath}/plan`,
    {
      schema: {
        summary: 'What a question would cost and how precise it would be. Buys nothing.',
        params: DatasetParams,
        body: PlanRequest,
        response: responses(200, PlanResponse),
      },
    },
    async (request) => {
      const { dataset, body } = question(request)
      return dataset.plan(body, askingOf(request))
    },
  )

  app.post(
    `${datasetPath}/curve`,
    {
      config: { slow: true },
      schema: {
        summary: 'The price of a question at a dozen precisions. Buys nothing.',
        params: DatasetParams,
        body: CurveRequest,
        response: responses(200, Curve),
      },
    },
    async (request) => {
      const { dataset, body } = question(request)
      return dataset.curve(body, request.stopped)
    },
  )

  app.post(
    `${datasetPath}/ask`,
    {
      config: { models: true },
      schema: {
        summary: 'Answers a question. If earlier answers are not precise enough, the missing precision is bought.',
        params: DatasetParams,
        body: AskRequest,
        response: responses(200, AskResponse),
      },
    },
    async (request) => {
      const { dataset, body } = question(request)
      const answer = await dataset.ask(body, askingOf(request))
      request.note.kind = answer.kind
      request.note.cost = answer.cost.epsilon
      context.metrics.count('reticent_answers_total', { dataset: dataset.name, kind: answer.kind })
      return answer
    },
  )
}
