import { divide, fromNumber, toNumber } from '../../numeric/index.ts'
import type { NoiseLaw } from '../../query/index.ts'
import type { AnswerCharge } from '../../trusted/accounting/index.ts'

type Judge = (charges: readonly AnswerCharge[]) => Error | undefined

/**
 * A run comes down in thousands of small steps, and each must be harmless. What is harmless is so with more noise as
 * well: noise can be added by anybody. So each judgement is asked of a point well ahead, and holds for all steps on the
 * way there; where that is refused, of a nearer one.
 */
export class Frontier {
  readonly #judge: Judge
  /** The sharpest answers that are known to be harmless together. */
  #known: readonly AnswerCharge[] = []
  /** How many times less noise the next point has. */
  #ahead = 2

  constructor(judge: Judge) {
    this.#judge = judge
  }

  /** What a run may have shown without asking again: at least what it has. */
  get known(): readonly AnswerCharge[] {
    return this.#known
  }

  check(charges: readonly AnswerCharge[]): Error | undefined {
    if (this.#covers(charges)) return undefined
    if (this.#ahead > nearest) {
      const factor = fromNumber(this.#ahead)
      const sharper = charges.map(
        (charge): AnswerCharge =>
          charge.law.kind === 'laplace'
            ? { ...charge, law: { kind: 'laplace', scale: divide(charge.law.scale, factor) } }
            : charge,
      )
      if (!this.#judge(sharper)) {
        this.#known = sharper
        return undefined
      }
      this.#ahead = Math.sqrt(this.#ahead)
    }
    const error = this.#judge(charges)
    if (!error) this.#known = charges
    return error
  }

  /**
   * Each of these charges must be one that is known, with no less noise. Where answers are drawn again and again there are
   * more of them each time, and one more is not covered by those before it.
   */
  #covers(charges: readonly AnswerCharge[]): boolean {
    return charges.every(({ query, law }, i) => {
      const known = this.#known[i]
      return known?.query === query && known.law.kind === law.kind && scaleOf(law) >= scaleOf(known.law)
    })
  }
}

/** Nearer points are not worth a second judgement. */
const nearest = 1.05

const scaleOf = (law: NoiseLaw): number =>
  law.kind === 'laplace' ? toNumber(law.scale) : law.kind === 'gaussian' ? Math.sqrt(toNumber(law.variance)) : 0
