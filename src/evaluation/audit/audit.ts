import { type Bits, systemBits } from '../../trusted/random/index.ts'
import { type Claim, type Proof, prove } from './bound.ts'
import type { Count } from './clopper-pearson.ts'
import type { Clock } from './collect.ts'
import type { Mechanism } from './mechanism.ts'
import { type Suspicion, search } from './search.ts'
import { type Loss, type Tally, tally } from './tally.ts'

/** The probability that the bound found for a mechanism is above the truth. */
export const errorRate = 1e-6

/** Computed losses are sums and logarithms of doubles: this much above the claim is rounding, not a violation. */
const rounding = 1e-9

/** Runs per input that are worth spending on learning, and again on choosing; what is left is better spent on proving. */
const searched = 60_000

interface AuditOptions {
  /** At most so many runs of the mechanism, over all inputs. */
  readonly samples: number
  /** At most about so long. */
  readonly seconds: number
  /** The operating system's generator unless a test says otherwise. Releases through the meter always use that. */
  readonly bits?: Bits
  readonly clock?: Clock
  /** Told how far it has come, 0 … 1. */
  readonly progress?: (done: number) => void
}

/** What the audit of one mechanism found. */
export interface Finding {
  readonly name: string
  readonly kind: Mechanism['kind']
  readonly about: string
  readonly claim: Claim
  /** Lower confidence bounds on the truth; together they are wrong with probability at most `errorRate`. */
  readonly bound: Proof
  /** The truth on the pairs tried, computed from the law, where it can be. */
  readonly exact?: number
  /** Runs of the mechanism in all. */
  readonly samples: number
  /** The inputs and the event that the bound comes from. */
  readonly pair: string
  readonly event: string
  readonly likely: Count
  readonly unlikely: Count
  readonly losses: readonly Loss[]
  /** violated: the claim is certainly (to the error rate) false. kept: nothing was found against it. */
  readonly verdict: 'kept' | 'violated'
  /** A shipped mechanism kept its claim, a control was seen to violate it. */
  readonly expected: boolean
}

/**
 * Tries to prove a mechanism's claim wrong by running it. Up to half of the runs look for the pair of neighbouring inputs and the
 * event that tell them apart best; the others, fresh, count that one event, and only they enter the bound.
 */
export async function audit(mechanism: Mechanism, options: AuditOptions): Promise<Finding> {
  const { samples, seconds, bits = systemBits, clock = () => performance.now(), progress = () => {} } = options
  const milliseconds = seconds * 1000
  progress(0)
  const start = clock()
  const count = Math.max(1, Math.min(searched, Math.floor(samples / (8 * mechanism.pairs.length))))
  const { best, runs } = await search(mechanism, { count, milliseconds: milliseconds / 2, bits, clock })
  progress(0.5)
  // A short trial, thrown away, says how many runs fit in the time that is left: their number is fixed before they begin.
  const trial = Math.max(1, Math.min(1000, Math.floor(runs / 100)))
  const before = clock()
  await tally(best, trial, bits, () => {})
  const each = (clock() - before) / trial
  const left = start + milliseconds - clock()
  const wanted = Math.floor((samples - runs) / 2) - trial
  const trials = Math.max(trial, Math.min(wanted, Math.floor((0.9 * left) / each)))
  const counted = await tally(best, trials, bits, (done) => progress(0.5 + done / 2))
  progress(1)
  return finding(mechanism, best, counted, runs + 2 * (trial + trials))
}

function finding(
  mechanism: Mechanism,
  found: Suspicion,
  { likely, unlikely, losses }: Tally,
  samples: number,
): Finding {
  const { name, kind, about, claim } = mechanism
  const bound = prove(likely, unlikely, claim, errorRate)
  const exact = mechanism.exact?.()
  // A control shows that the runs tell; what is known about it beforehand must not help.
  const computed = kind === 'shipped' && exact !== undefined && exact > claim.epsilon + rounding
  const violated = bound.epsilon > claim.epsilon || computed
  return {
    name,
    kind,
    about,
    claim,
    bound,
    ...(exact === undefined ? {} : { exact }),
    samples,
    pair: found.pair.name,
    event: `${found.feature} ${found.threshold.tail} ${found.threshold.at}`,
    likely,
    unlikely,
    losses,
    verdict: violated ? 'violated' : 'kept',
    expected: violated === (kind === 'control'),
  }
}
