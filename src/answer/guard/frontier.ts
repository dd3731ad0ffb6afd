import { divide, fromNumber } from '../../numeric/index.ts'
import { noiseSpread } from '../../query/index.ts'
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
  /** How many times less noise of each answer the next point has; twice, unless that was refused. */
  readonly #ahead = new Map<number, number>()

  constructor(judge: Judge) {
    this.#judge = judge
  }

  /** What a run may have shown without asking again: at least what it has. */
  get known(): readonly AnswerCharge[] {
    return this.#known
  }

  check(charges: readonly AnswerCharge[]): Error | undefined {
    const fresh = [...charges.keys()].filter((i) => !this.#covers(charges[i]!, i))
    if (fresh.length === 0) return undefined
    const factor = Math.min(...fresh.map((i) => this.#ahead.get(i) ?? 2))
    if (factor > nearest) {
      // Only what has come down goes ahead: an answer at its limit does not keep the others back.
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
   * The charge must be one that is known, with no less noise. Where answers are drawn again and again there are more of
   * them each time, and one more is not covered by those before it.
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
