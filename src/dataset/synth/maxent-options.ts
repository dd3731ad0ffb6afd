import { type MaxentRequest, type MethodName, methods } from '../../release/index.ts'
import { usage } from '../../schema/index.ts'
import { oneOf, shareOf } from '../options.ts'

/** Which marginals maxent is fitted to. Refuses what makes no sense; whether there are so many attributes shows later. */
export function maxentOptions({
  ways,
  marginals,
  priorShare,
}: {
  readonly ways?: number | string
  readonly marginals?: string
  readonly priorShare?: number | string
}): Pick<MaxentRequest, 'ways' | 'marginals' | 'priorShare'> {
  return {
    ...(ways !== undefined && { ways: waysOf(ways) }),
    ...(marginals !== undefined && {
      marginals: oneOf('method of release marginals', marginals, Object.keys(methods) as MethodName[]),
    }),
    ...(priorShare !== undefined && { priorShare: shareOf(priorShare, 'the share for the prior') }),
  }
}

function waysOf(given: number | string): number {
  const ways = Number(given)
  if (Number.isInteger(ways) && ways >= 1 && String(given).trim() !== '') return ways
  throw usage(`the number of ways must be a whole number from 1 on, not ${JSON.stringify(given)}`)
}
