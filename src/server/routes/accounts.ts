import { Type } from 'typebox'
import { BudgetResponse, History, ImproveRequest, ImproveResponse } from '../api/index.ts'
import { type App, type Context, servedFor } from '../app.ts'
import { HttpRefusal } from '../http-refusal.ts'
import { DatasetParams, datasetPath, responses } from './common.ts'

/** What was bought, what it says now, and what is left. */
export function accountRoutes(app: App, context: Context): void {
  app.get(
    `${datasetPath}/history`,
    {
      schema: {
        summary: 'Everything that was ever bought, in order.',
        params: DatasetParams,
        response: responses(200, History),
      },
    },
    async (request) => {
      const { dataset } = servedFor(context, request, request.params.dataset)
      return { releases: await dataset.data.history() }
    },
  )

  app.post(
    `${datasetPath}/history/:number/improve`,
    {
      config: { slow: true },
      schema: {
        summary: 'What a purchase says by itself, and what all released answers say about it now. Free.',
        params: Type.Object({ ...DatasetParams.properties, number: Type.String({ pattern: '^[0-9]{1,12}$' }) }),
        body: ImproveRequest,
        response: responses(200, ImproveResponse),
      },
    },
    async (request) => {
      const { dataset } = servedFor(context, request, request.params.dataset)
      const asked = { ...request.body, number: Number(request.params.number) }
      const [found] = await dataset.thread.do('improve', asked, { signal: request.stopped })
      if (!found)
        throw new HttpRefusal('not-found', 'no question was bought under this number, or its answer cannot be improved')
      return found
    },
  )

  app.get(
    `${datasetPath}/budget`,
    {
      schema: {
        summary: 'What is spent and left, when it was spent and by whom, and on which attributes.',
        params: DatasetParams,
        response: responses(200, BudgetResponse),
      },
    },
    async (request) => {
      const { dataset, grant } = servedFor(context, request, request.params.dataset)
      return dataset.budget(grant.role === 'analyst' ? (grant.name ?? '') : undefined)
    },
  )
}
