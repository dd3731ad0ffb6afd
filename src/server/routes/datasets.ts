import { Type } from 'typebox'
import { attributeNamed } from '../../schema/index.ts'
import { AttributeValues, DatasetDescription, DatasetSummary, Me } from '../api/index.ts'
import { type App, type Context, servedFor } from '../app.ts'
import { attributeValues } from '../datasets/attribute.ts'
import { describe, roleIn, termsOf } from '../datasets/description.ts'
import { DatasetParams, datasetPath, responses } from './common.ts'

const whole = Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' }))
const ValuesQuery = Type.Object(
  { search: Type.Optional(Type.String({ maxLength: 200 })), offset: whole, limit: whole },
  { additionalProperties: false },
)

/** Who one is, which data sets there are, and what may be asked about them. */
export function datasetRoutes(app: App, context: Context): void {
  const { served } = context

  app.get(
    '/api/me',
    { schema: { summary: 'The holder of the token.', response: responses(200, Me) } },
    async (request) => {
      const { role, grants } = request.caller
      const datasets = grants.map((grant) => ({
        name: grant.dataset,
        ...roleIn(grant, served.get(grant.dataset)!.dataset.policy),
      }))
      const analyst = datasets.find((d) => 'analyst' in d)?.analyst
      return { role, ...(analyst !== undefined && { analyst }), datasets }
    },
  )

  const List = Type.Object({ datasets: Type.Array(DatasetSummary) })
  app.get(
    '/api/datasets',
    {
      schema: {
        summary: 'The data sets that the token gives access to, and what is left of their budgets.',
        response: responses(200, List),
      },
    },
    async (request) => ({
      datasets: await Promise.all(
        request.caller.grants.map(async (grant) => {
          const { data, policy } = served.get(grant.dataset)!.dataset
          const { cap, spent, left, analysts } = await data.budget()
          const own = analysts.find(({ name }) => grant.role === 'analyst' && name === grant.name)
          return {
            name: policy.dataset,
            ...roleIn(grant, policy),
            privacy: termsOf(policy),
            cap,
            spent,
            left: own && own.left.epsilon < left.epsilon ? own.left : left,
          }
        }),
      ),
    }),
  )

  app.get(
    datasetPath,
    {
      schema: {
        summary: 'What may be asked about, and what is promised.',
        params: DatasetParams,
        response: responses(200, DatasetDescription),
      },
    },
    async (request) => {
      const { dataset, grant } = servedFor(context, request, request.params.dataset)
      return describe(dataset.policy, grant)
    },
  )

  app.get(
    `${datasetPath}/attributes/:attribute/values`,
    {
      schema: {
        summary: "An attribute's values, page by page: public knowledge.",
        params: Type.Object({ ...DatasetParams.properties, attribute: Type.String({ maxLength: 200 }) }),
        querystring: ValuesQuery,
        response: responses(200, AttributeValues),
      },
    },
    async (request) => {
      const { dataset } = servedFor(context, request, request.params.dataset)
      const { search, offset = '0', limit = '100' } = request.query
      const wanted = { offset: Number(offset), limit: Math.min(1000, Number(limit)), ...(search && { search }) }
      return attributeValues(attributeNamed(dataset.policy.universe, request.params.attribute), wanted)
    },
  )
}
