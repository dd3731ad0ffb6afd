import { Type } from 'typebox'
import { addToken, listTokens, revokeToken } from '../access/tokens.ts'
import { IssuedToken, NewToken, Token } from '../api/index.ts'
import type { App, Context, servedFor } from '../app.ts'
import { HttpRefusal, notFound } from '../http-refusal.ts'
import { responses } from './common.ts'

/** Who may ask: for owners. */
export function tokenRoutes(app: App, context: Context, tokensFile: string | undefined): void {
  /** Only tokens may make tokens: a server without any is for its own machine, where there is the command. */
  const policies = (caller: Parameters<typeof servedFor>[1]['caller']) => {
    const own = caller.grants.filter(({ role }) => role === 'owner').map(({ dataset }) => dataset)
    if (own.length === 0)
      throw new HttpRefusal(
        'forbidden',
        'this is for owners with a token',
        'Make one with `reticent token add --owner`.',
      )
    return new Map(own.map((name) => [name, context.served.get(name)!.dataset.policy.file]))
  }
  const List = Type.Object({ tokens: Type.Array(Token) })
  app.get(
    '/api/tokens',
    { schema: { summary: 'For owners: who may ask.', response: responses(200, List) } },
    async (request) => ({ tokens: await listTokens([...policies(request.caller).values()], tokensFile) }),
  )
  app.post(
    '/api/tokens',
    {
      schema: {
        summary: 'For owners: makes a token. It is shown this once.',
        body: NewToken,
        response: responses(201, IssuedToken),
      },
    },
    async (request, reply) => {
      const { dataset, ...wanted } = request.body
      const policy = policies(request.caller).get(dataset)
      if (policy === undefined) throw notFound('such data set of yours')
      const [issued] = await addToken({ ...wanted, policies: [policy], ...(tokensFile && { file: tokensFile }) })
      return reply.code(201).send(issued)
    },
  )
  app.delete(
    '/api/tokens/:id',
    {
      schema: {
        summary: 'For owners: revokes a token at once.',
        params: Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{12}$' }) }),
      },
    },
    async (request, reply) => {
      await revokeToken(request.params.id, [...policies(request.caller).values()], tokensFile)
      return reply.code(204).send()
    },
  )
}
