import type { Known } from '../known/known.ts'
import { knownAlone } from '../known/known-part.ts'
import { dwarfedBelow, type GroupSize } from '../price/dwarfed.ts'
import type { PartBought } from '../question/question.ts'
import type { RatioContext } from './context.ts'
import { mostOf, type RatioGoal } from './goal.ts'

/** A denominator's distance from 0, and the deviation of its estimate. */
interface Size {
  readonly size: number
  readonly deviation: number
}

/** How far from 0 a ratio can be, and probably is. */
interface Reach {
  readonly most: number
  readonly likely: number
  /** By the estimates alone, whatever their noise. */
  readonly middle: number
}

/** A first look at a numerator is off by more than is reckoned with in this share of cases. */
const rarely = 0.03
/** Groups count unless they are below the floor with this confidence. */
const surely = 0.99

/** How large numerators and denominators are, as far as the history and looks say. */
export class Sizes {
  readonly #context: RatioContext
  readonly #seen = new Map<number, readonly Known[]>()
  readonly #told = new Map<number, readonly Known[] | undefined>()

  constructor(context: RatioContext) {
    this.#context = context
  }

  /** What the history says about a part or, if nothing, what the last look at it said. Asked once per state of the history. */
  readonly known = (part: number): readonly Known[] | undefined => {
    const { knowledge } = this.#context.session
    const query = this.#context.statement.parts[part]!
    // A question is planned again after every look: all of them together must not take too long.
    const times = this.#seen.size > 0 ? timesAsked : 1
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

  /** The smallest denominator among the groups that count; undefined if nothing is known. */
  smallest(goal: RatioGoal, known = this.known(goal.ratio.denominator.part)): Size | undefined {
    const sizes = known && this.#counting(goal, known)
    return sizes?.reduce((a, b) => (b.size < a.size ? b : a), { size: Infinity, deviation: 0 })
  }

  /** How far from 0 the ratio is in the groups that count, by a look at its numerator. */
  reach(goal: RatioGoal): Reach {
    const { numerator, denominator } = goal.ratio
    const [above, below] = [this.known(numerator.part), this.known(denominator.part)]
    const ends = mostOf(goal)
    const counting = below && this.#counting(goal, below)
    if (!above || !counting) return { most: ends, likely: ends / 2, middle: ends / 2 }
    let [most, likely, center] = [0, 0, 0]
    above.forEach(({ estimate, errorLaw }, group) => {
      if (!counting[group]!.counts) return
      const middle = Math.abs(numerator.times * estimate + numerator.offset)
      const off = Math.abs(numerator.times) * errorLaw().halfWidth(1 - rarely)
      const { size, deviation } = counting[group]!
      const least = Math.max(size - 2 * deviation, size / 2)
      most = Math.max(most, middle / least + off / size)
      likely = Math.max(likely, (middle + 0.3 * off) / size)
      center = Math.max(center, middle / size)
    })
    // An interval's ends lie beyond the ratio.
    return { most: Math.min(ends, most + goal.within), likely: Math.min(ends, likely), middle: Math.min(ends, center) }
  }

  /** For each group, whether it must be as precise as requested: not if it is below the floor. */
  needed(goal: RatioGoal): readonly boolean[] {
    return this.#counting(goal, this.known(goal.ratio.denominator.part)!).map(({ counts }) => counts)
  }

  /** Groups below this need not be precise: the given floor or, without one, where the others dwarf them. */
  floor(goal: RatioGoal): number {
    const known = this.known(goal.ratio.denominator.part)
    return this.#floor(known ? sizesIn(goal, known) : [])
  }

  #floor(sizes: readonly GroupSize[]): number {
    const { wanted, comfortable } = this.#context
    const floor = wanted.floor ?? 0
    return comfortable === undefined ? floor : Math.max(floor, Math.min(comfortable, dwarfedBelow(sizes)))
  }

  #counting(goal: RatioGoal, known: readonly Known[]): (Size & { counts: boolean })[] {
    const times = Math.abs(goal.ratio.denominator.times)
    const sizes = sizesIn(goal, known)
    const floor = this.#floor(sizes)
    return known.map(({ made }, group) => {
      const { size: middle, off } = sizes[group]!
      const counts = floor === 0 || middle + off >= floor
      const size = counts ? Math.max(floor, middle) : Infinity
      return { size, deviation: times * Math.sqrt(made.variance), counts }
    })
  }
}

const sizesIn = ({ ratio: { denominator } }: RatioGoal, known: readonly Known[]): GroupSize[] =>
  known.map(({ estimate, errorLaw }) => ({
    size: Math.abs(denominator.times * estimate + denominator.offset),
    off: Math.abs(denominator.times) * errorLaw().halfWidth(surely),
  }))

/** A question may be planned this often. */
const timesAsked = 8
