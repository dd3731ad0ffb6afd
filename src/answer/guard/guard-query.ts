import { openHistory } from '../../inference/index.ts'
import { toNumber } from '../../numeric/index.ts'
import { type LinearQuery, parseSql } from '../../query/index.ts'
import { type Guard, type Policy, problem, ReticentError } from '../../schema/index.ts'
import { affineOf } from '../column/affine.ts'

/** What nobody may come to know too well: `query` within ± `within`, with more than this confidence. */
export interface GuardedQuery {
  readonly query: LinearQuery
  readonly within: number
  readonly confidence: number
  /** As the policy says it; there the half-width is that of a multiple of the query. */
  readonly stated: { readonly query: string; readonly within: number; readonly confidence: number }
}

/** Reads the policy's guards; throws for one that could not be kept, so that no guard is ever silently ignored. */
export async function readGuards(
  policy: Pick<Policy, 'dataset' | 'universe' | 'guards' | 'privacy'>,
  random: () => number,
): Promise<GuardedQuery[]> {
  const guards: GuardedQuery[] = []
  for (const guard of policy.guards) {
    const read = await readGuard(guard, policy)
    const nothing = openHistory(policy.universe, { random, ...publicly(policy.privacy) })
    if (nothing.estimate(read.query).estimable)
      throw unusable(guard, 'this is public', 'Only what the policy keeps private can be guarded.')
    guards.push(read)
  }
  return guards
}

/** Where the number of records is public, everybody knows it. What it is does not matter here. */
const publicly = ({ neighbours }: Pick<Policy['privacy'], 'neighbours'>): { publicCount?: number } =>
  neighbours === 'replace-one' ? { publicCount: 0 } : {}

async function readGuard(
  guard: Guard,
  { dataset, universe }: Pick<Policy, 'dataset' | 'universe'>,
): Promise<GuardedQuery> {
  const statement = await parseSql(guard.query, { dataset, universe }).catch((error) => {
    if (error instanceof ReticentError) throw unusable(guard, error.message, error.hint)
    throw error
  })
  const [column, ...others] = statement.columns
  const affine = column?.kind === 'value' && others.length === 0 ? affineOf(column.expression) : undefined
  const [query] = statement.parts
  if (!affine?.times || statement.axes.length > 0 || statement.parts.length !== 1)
    throw unusable(guard, 'it is not one count or sum', 'Guard a COUNT or a SUM, without GROUP BY; one guard for each.')
  const [within, confidence] = [toNumber(guard.within), toNumber(guard.confidence)]
  const stated = { query: guard.query, within, confidence }
  return { query: query!, within: within / Math.abs(affine.times), confidence, stated }
}

const unusable = ({ query }: Guard, why: string, hint: string | undefined) =>
  problem('policy-invalid', `the guard ${JSON.stringify(query)} cannot be kept: ${why}`, hint, { query })
