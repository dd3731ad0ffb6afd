import { divide, fromNumber, toNumber } from '../numeric/index.ts'
import type { NoiseLaw } from '../query/index.ts'
import type { Charge } from '../trusted/accounting/index.ts'

type Judge = (charges: readonly Charge[]) => Error | undefined

/**
 * A run comes down in thousands of small steps, and each must be harmless. What is harmless is so with more noise as
 * well: noise can be added by anybody. So each judgement is asked of a point well ahead, and holds for all steps on the
 * way there; where that is refused, of a nearer one.
 */
export class Frontier {
  readonly #judge: Judge
  /** The smallest scales that are known to be harmless together. */
  #scales: readonly number[] | undefined
  /** How many times less noise the next point has. */
  #ahead = 2

  constructor(judge: Judge) {
    this.#judge = judge
  }

  check(charges: readonly Charge[]): Error | undefined {
    const scales = charges.map(({ law }) => scaleOf(law))
    if (this.#scales?.every((least, i) => scales[i]! >= least)) return undefined
    if (this.#ahead > nearest) {
      const factor = fromNumber(this.#ahead)
      const sharper = charges.map(
        (charge): Charge =>
          charge.law.kind === 'laplace'
            ? { ...charge, law: { kind: 'laplace', scale: divide(charge.law.scale, factor) } }
            : charge,
      )
      if (!this.#judge(sharper)) {
        this.#scales = sharper.map(({ law }) => scaleOf(law))
        return undefined
      }
      this.#ahead = Math.sqrt(this.#ahead)
    }
    const error = this.#judge(charges)
    if (!error) this.#scales = scales
    return error
  }
}

/** Nearer points are not worth a second judgement. */
const nearest = 1.05

const scaleOf = (law: NoiseLaw): number =>
  law.kind === 'laplace' ? toNumber(law.scale) : law.kind === 'gaussian' ? Math.sqrt(toNumber(law.variance)) : 0
