import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Policy } from '../schema/index.ts'
import type { Access, Caller, Grant } from './access/access.ts'
import type { ServedDataset } from './datasets/served-dataset.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** What a request's log line says beside its route: set where it is known. */
interface Note {
  sql?: string
  kind?: string
  cost?: number
  job?: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether it may take seconds, in a thread that has other things to do. */
    slow?: boolean
    /** Whether it does where a model is asked. */
    models?: boolean
  }
  interface FastifyRequest {
    /** Who sent it; on routes below /api. */
    caller: Caller
    /** Aborted when the one who asked is gone, or the server will wait no longer. */
    stopped: AbortSignal
    note: Note
  }
}

/** Types of requests follow from their schemas. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: unknown
}
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>

/** One data set and its jobs. */
export interface Served {
  readonly dataset: ServedDataset
  readonly jobs: Jobs
}

/** What routes are made with. */
export interface Context {
  readonly served: ReadonlyMap<string, Served>
  readonly access: Access
  readonly metrics: Metrics
  readonly log: Log
}

/** The data set that an address names, for whoever may use it; nobody is told of others. */
export function servedFor(
  { served }: Context,
  { caller }: Pick<FastifyRequest, 'caller'>,
  name: string,
): Served & { readonly grant: Grant } {
  const found = served.get(name)
  const grant = caller.grants.find(({ dataset }) => dataset === name)
  if (!found || !grant)
    throw new HttpRefusal('not-found', 'there is no such data set, or the token gives no access to it')
  return { ...found, grant }
}

export function requireOwner({ role }: Grant): void {
  if (role === 'analyst') throw new HttpRefusal('forbidden', 'this is for the owner of the data set')
}

/** On whose behalf: a token is an analyst of the policy, and nobody else. */
export function analystOf(
  { role, name }: Grant,
  { privacy: { analysts } }: Policy,
  as: string | undefined,
): { as?: string } {
  if (role !== 'analyst' || !analysts) return as === undefined ? {} : { as }
  if (as !== undefined && as !== name)
    throw new HttpRefusal('forbidden', 'a token can only ask on behalf of its own analyst', 'Leave out `as`.')
  if (name === null)
    throw new HttpRefusal('forbidden', 'this token belongs to no analyst', 'Let the owner make one with a name.')
  return { as: name }
}
