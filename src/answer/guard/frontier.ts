import { divide, fromNumber } from '../../numeric/index.ts'
import { noiseSpread } from '../../query/index.ts'
import type { AnswerCharge } from '../../trusted/accounting/index.ts'

type Judge = (charges: readonly AnswerCharge[]) => Error | undefined

/**
 * A run lowers its noise in thousands of small steps, and each must be harmless. What is harmless with some noise is
 * harmless with more, which anybody could add. So a point well ahead is judged, and the judgement holds for all steps on
 * the way there; if it is refused, a nearer point is judged.
 */
export class Frontier {
  readonly #judge: Judge
  /** The sharpest answers that are known to be harmless together. */
  #known: readonly AnswerCharge[] = []
  /** By what factor the next point has less noise, per answer: 2, unless that was refused. */
  readonly #ahead = new Map<number, number>()

  constructor(judge: Judge) {
    this.#judge = judge
  }

  /** What a run may reveal without asking again: at least what it has revealed. */
  get known(): readonly AnswerCharge[] {
    return this.#known
  }

  check(charges: readonly AnswerCharge[]): Error | undefined {
    const fresh = [...charges.keys()].filter((i) => !this.#covers(charges[i]!, i))
    if (fresh.length === 0) return undefined
    const factor = Math.min(...fresh.map((i) => this.#ahead.get(i) ?? 2))
    if (factor > nearest) {
      // Only answers whose noise was lowered go ahead: one at its limit does not hold the others back.
      const ahead = charges.map((charge, i) => (fresh.includes(i) ? sharper(charge, factor) : this.#known[i]!))
      if (!this.#judge(ahead)) {
        this.#known = ahead
        return undefined
      }
      for (const i of fresh) this.#ahead.set(i, Math.sqrt(factor))
    }
    const error = this.#judge(charges)
    if (!error) this.#known = charges
    return error
  }

  /**
   * The charge must be one that was judged, with no less noise. If a run draws answers repeatedly there are more of them
   * each time, and one more is not covered by the judgement of those before it.
   */
  #covers({ query, law }: AnswerCharge, i: number): boolean {
    const known = this.#known[i]
    return known?.query === query && known.law.kind === law.kind && noiseSpread(law) >= noiseSpread(known.law)
  }
}

const sharper = (charge: AnswerCharge, factor: number): AnswerCharge =>
  charge.law.kind === 'laplace'
    ? { ...charge, law: { kind: 'laplace', scale: divide(charge.law.scale, fromNumber(factor)) } }
    : charge

/** Nearer points are not worth a second judgement. */
const nearest = 1.05
