import { compare, fromNumber, one, parseRational, type Rational } from '../../numeric/index.ts'
import type { MwemRequest } from '../../release/index.ts'
import { usage } from '../../schema/index.ts'
import { oneOf } from '../options.ts'

/** As they were typed. */
interface GivenOptions {
  readonly rounds?: number | string
  readonly startShare?: number | string
  readonly fitting?: string
  readonly output?: string
}

/** More rounds than this share the budget so finely that none tells anything. */
const mostRounds = 10_000

/** How a method that chooses what to measure is to go about it. Refuses what makes no sense. */
export function mwemOptions({
  rounds,
  startShare,
  fitting,
  output,
}: GivenOptions): Pick<MwemRequest, 'rounds' | 'startShare' | 'fitting' | 'output'> {
  return {
    ...(rounds !== undefined && { rounds: roundsOf(rounds) }),
    ...(startShare !== undefined && { startShare: startShareOf(startShare) }),
    ...(fitting !== undefined && { fitting: oneOf('fitting', fitting, ['once', 'replay', 'smooth'] as const) }),
    ...(output !== undefined && { output: oneOf('output', output, ['last', 'average'] as const) }),
  }
}

function roundsOf(given: number | string): number | 'adaptive' {
  const rounds = Number(given)
  if (given === 'adaptive') return given
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= mostRounds && String(given).trim() !== '') return rounds
  throw usage(`rounds must be a whole number from 1 to ${mostRounds}, or adaptive, not ${JSON.stringify(given)}`)
}

/** From 0, for none, to 1, for all. */
function startShareOf(given: number | string): Rational {
  const share =
    typeof given === 'string' ? parseRational(given) : Number.isFinite(given) ? fromNumber(given) : undefined
  if (share && share.num >= 0n && compare(share, one) <= 0) return share
  throw usage(`the share for the start must be a number from 0 to 1, not ${JSON.stringify(given)}`)
}
