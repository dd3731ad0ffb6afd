import { costOf, type Session } from '../../answer/index.ts'
import type { SynthMethodName, SynthStep } from '../../release/index.ts'
import { outlookOfRun } from '../marginals/pricing.ts'
import type { Costing } from '../marginals/tables.ts'
import { manyValues } from './many-values.ts'
import type { SynthesisRequest } from './options.ts'
import { planned, setUp } from './setup.ts'

export interface SynthesisPlan extends Costing {
  readonly method: SynthMethodName
  /** How the number of records is obtained. `count` is what the plan was computed with, or null. */
  readonly records: { readonly count: number | null; readonly from: 'public' | 'history' | 'bought' }
  readonly steps: readonly SynthStep[]
  /** The quality score, if requested: its own cost and, if n is known, its noise. */
  readonly check?: {
    readonly epsilon: number
    readonly pairs: number
    readonly leftOut: number
    readonly deviation: number | null
  }
  readonly affordable: boolean
  /** In plain words; empty if there are none. */
  readonly warnings: readonly string[]
}

/** What a synthetic table would cost and with how much noise, without buying anything; throws if a guard would refuse it. */
export async function planSynthesis(asked: SynthesisRequest, session: Session): Promise<SynthesisPlan> {
  const setup = await setUp(asked, session)
  const { records, held, heldForCheck } = setup
  const { steps, scored } = planned(asked, setup, session)
  const count = records.kind === 'known' ? records.count : (asked.about ?? records.roughly ?? null)
  return {
    method: asked.method,
    records: { count, from: records.kind === 'known' ? records.from : 'bought' },
    steps,
    ...(scored && {
      check: {
        epsilon: costOf(heldForCheck, session.book).epsilon,
        pairs: scored.pairs.length,
        leftOut: scored.leftOut,
        deviation: count && scored.deviation / (2 * count),
      },
    }),
    warnings: manyValues(session.book.universe.attributes, count),
    ...outlookOfRun(held, session),
  }
}
