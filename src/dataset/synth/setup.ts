import { heldFor, type Session } from '../../answer/index.ts'
import { multiply, one, type Rational } from '../../numeric/index.ts'
import { countAll, noiseDeviation } from '../../query/index.ts'
import {
  type CheckPlan,
  planCheck,
  type SynthBudget,
  type SynthPlan,
  type SynthRequest,
  type SynthTerms,
  synthLawFor,
  synthMethodNamed,
} from '../../release/index.ts'
import {
  addSpending,
  type Charge,
  measurementCharge,
  runHold,
  type Spending,
  zeroSpending,
} from '../../trusted/accounting/index.ts'
import { currentMeasurements } from '../history/measurements.ts'
import { type KnownRecords, knownRecords, type UnknownRecords } from '../known-records.ts'
import type { SynthesisRequest } from './options.ts'
import { synthTerms } from './terms.ts'
import { workloadOf } from './workload.ts'

/** All that is settled before anything is bought: by the options, the policy and the history. */
interface SynthSetup {
  /** What the method is given: also queries, rounds and the like, where it takes them. */
  readonly request: SynthRequest
  readonly terms: SynthTerms
  readonly records: KnownRecords | UnknownRecords
  /** For the quality score, where one is to be bought. */
  readonly check?: SynthBudget
  /** What all of it costs, and what the check costs by itself. */
  readonly held: Spending
  readonly heldForCheck: Spending
}

/** Throws if a guard would refuse what is bought first, or where the method says that it cannot work. */
export async function setUp(asked: SynthesisRequest, session: Session): Promise<SynthSetup> {
  const { book } = session
  const { takes, chooses } = synthMethodNamed(asked.method)
  // Who chooses what to measure must know among what; others may be told what matters.
  const needsQueries = takes.queries && (chooses || asked.queries !== undefined)
  const queries = needsQueries && (await workloadOf(asked, book, session.random))
  const budget = heldFor(asked.epsilon, book)
  const terms = synthTerms(book, budget)
  const variance = noiseDeviation(synthLawFor(countAll, times(budget, asked.countShare), terms)) ** 2
  const records = await knownRecords(session, variance, asked.about)
  const check = asked.check && heldFor(asked.check, book)
  const heldForCheck = check ? runHold(check) : zeroSpending
  return {
    request: {
      budget,
      records:
        records.kind === 'known'
          ? records
          : {
              kind: 'bought',
              share: asked.countShare,
              ...(asked.about !== undefined && { about: asked.about }),
            },
      history: currentMeasurements(book),
      ...(queries && { queries }),
      ...asked.mwem,
      ...asked.maxent,
    },
    terms,
    records,
    ...(check && { check }),
    held: addSpending(runHold(budget), heldForCheck),
    heldForCheck,
  }
}

/**
 * What the method would do. The guards are asked about what it certainly buys: its first answers, and a choice or a score
 * where it cannot do without.
 */
export function planned(
  { method }: SynthesisRequest,
  setup: SynthSetup,
  { approve }: Session,
): SynthPlan & { readonly scored?: CheckPlan } {
  const { request, terms, check } = setup
  const { method: made, chooses } = synthMethodNamed(method)
  const plan = made.plan(request, terms)
  const scored = check && planCheck(check, terms)
  const answers: readonly Charge[] = plan.certain?.map(measurementCharge) ?? []
  const choice: Charge[] = chooses ? [{ kind: 'selection', rate: one, sensitivity: 1n }] : []
  const score: Charge[] = scored ? [{ kind: 'score', law: scored.law, sensitivity: 1n }] : []
  approve([...answers, ...choice, ...score])
  return { ...plan, ...(scored && { scored }) }
}

const times = (budget: SynthBudget, share: Rational): SynthBudget =>
  budget.rho ? { rho: multiply(budget.rho, share) } : { epsilon: multiply(budget.epsilon, share) }
