import { CheckResponse, LedgerExport, VerifyRequest, VerifyResponse } from '../api/index.ts'
import { type App, type Context, requireOwner, servedFor } from '../app.ts'
import { DatasetParams, datasetPath, responses } from './common.ts'

/** What is the owner's: the ledger, and whether all is in order. */
export function ownerRoutes(app: App, context: Context): void {
  const owned = (request: Parameters<typeof servedFor>[1], name: string) => {
    const served = servedFor(context, request, name)
    requireOwner(served.grant)
    return served.dataset
  }

  app.get(
    `${datasetPath}/check`,
    {
      schema: {
        summary: 'For the owner: whether policy, source and ledger match.',
        params: DatasetParams,
        response: responses(200, CheckResponse),
      },
    },
    async (request) => owned(request, request.params.dataset).thread.do('findings', null),
  )
  app.get(
    `${datasetPath}/ledger/export`,
    {
      schema: {
        summary: "For the owner: the ledger's rows, without its secret.",
        params: DatasetParams,
        response: responses(200, LedgerExport),
      },
    },
    async (request) => {
      const rows = await owned(request, request.params.dataset).thread.do('exportLedger', null)
      return { rows: rows.map((row) => JSON.parse(row)) }
    },
  )
  app.post(
    `${datasetPath}/ledger/verify`,
    {
      schema: {
        summary:
          'For the owner: reads the whole ledger again; with a receipt, whether it continues the one that gave it.',
        params: DatasetParams,
        body: VerifyRequest,
        response: responses(200, VerifyResponse),
      },
    },
    async (request) => owned(request, request.params.dataset).thread.do('verifyLedger', request.body),
  )
}
