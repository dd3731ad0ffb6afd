import type { Known } from '../known/known.ts'
import { knownAlone } from '../known/known-part.ts'
import type { PartBought } from '../question/question.ts'
import { type Bar, needed, situationOf } from './bound.ts'
import { mostLooks, type RatioContext } from './context.ts'
import type { RatioGoal, Situation } from './laws.ts'

/** How large numerators and denominators are, as far as the history and looks tell. */
export class Sizes {
  readonly #context: RatioContext
  readonly #bar: Bar
  readonly #seen = new Map<number, readonly Known[]>()
  readonly #told = new Map<number, readonly Known[] | undefined>()

  constructor(context: RatioContext) {
    this.#context = context
    this.#bar = { floor: context.wanted.floor ?? 0, sure: context.confidence.size }
  }

  /** What the history says about a part, else what was seen of it: asked once, until it may have grown. */
  readonly known = (part: number): readonly Known[] | undefined => {
    const { knowledge } = this.#context.session
    const query = this.#context.statement.parts[part]!
    // A question is planned again after every look: all of them together must not take too long.
    const times = this.#seen.size > 0 ? mostLooks : 1
    if (!this.#told.has(part))
      this.#told.set(part, knowledge.isConsulted(query, times) ? knowledge.about(query) : undefined)
    return this.#told.get(part) ?? this.#seen.get(part)
  }
  historyMayHaveGrown(): void {
    this.#told.clear()
  }
  see(looks: readonly PartBought[]): void {
    for (const { part, measurement } of looks) this.#seen.set(part, knownAlone(measurement))
  }

  situations(supposing: Pick<Bar, 'supposed' | 'hopeful'> = {}): Situation[] {
    return this.#context.needs.ratios.map((goal) => situationOf(goal, this.known, { ...this.#bar, ...supposing }))
  }
  /** Whether each group must be told as precisely as was asked: not those below the floor. */
  needed(goal: RatioGoal): readonly boolean[] {
    return needed(goal, this.known, this.#bar)!
  }
}
