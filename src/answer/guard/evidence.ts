import { type History, openHistory, type PriorHistory } from '../../inference/index.ts'
import { answerSize, countAll } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { AnswerCharge } from '../../trusted/accounting/index.ts'
import type { GuardedQuery } from './guard-query.ts'
import { worldsOf } from './worlds.ts'

/**
 * What an observer may have seen, without values: an estimate's coefficients and variance do not depend on the answers. Kept
 * once as a history under a flat prior, and once for every guard and every world (see worlds.ts).
 */
export class Evidence {
  readonly #universe: Universe
  readonly flat: History
  /** By guard, one for each of its worlds. */
  readonly worlds: readonly (readonly PriorHistory[])[]

  private constructor(universe: Universe, flat: History, worlds: readonly (readonly PriorHistory[])[]) {
    this.#universe = universe
    this.flat = flat
    this.worlds = worlds
  }

  /** Where the number of records is public, everybody knows it. What it is does not matter here. */
  static none(
    guards: readonly GuardedQuery[],
    universe: Universe,
    { publicCount, random }: { readonly publicCount: boolean; readonly random: () => number },
  ): Evidence {
    const flat = openHistory(universe, { random, isWhole: true, ...(publicCount ? { publicCount: 0 } : {}) })
    return new Evidence(universe, flat, worldsOf(guards, universe, { publicCount }))
  }

  fork(): Evidence {
    const worlds = this.worlds.map((histories) => histories.map((history) => history.fork()))
    return new Evidence(this.#universe, this.flat.fork(), worlds)
  }

  /** `refines` is the measurement that it takes the place of; what is tried is not kept. */
  append(id: string, { query, law }: AnswerCharge, refines: string | null, how: 'append' | 'try' = 'append'): void {
    const values = new Float64Array(answerSize(query, this.#universe))
    this.flat.append({ id, query, law, values }, refines === null ? undefined : { replaces: refines })
    for (const history of this.worlds.flat()) history[how](id, query, law, refines ?? undefined)
  }

  /** Takes in what is new, once for all that is tried on it. */
  settle(): void {
    this.flat.estimate(countAll)
    for (const history of this.worlds.flat()) if (!history.isTooLarge) history.belief()
  }
}
