/** 2w/period + Σ f_n·sin(2πn·w/period) for 0 ≤ w ≤ period/2, where the f_n ≥ 0 are given in stretches. */
export class SineSeries {
  readonly period: number
  readonly #stretches: { readonly first: number; readonly factors: Float64Array }[] = []
  #rounding = 0

  constructor(period: number) {
    this.period = period
  }

  /**
   * A bound of what rounding does to the sum: 2πn·w/period ≤ πn is off by two units of it, a turn by 4.3 (section 3 of
   * the page), a product and its addition by the rest.
   */
  get rounding(): number {
    return this.#rounding * 2 ** -53 + 2 ** -52
  }

  add(first: number, factors: Float64Array): void {
    const weight = 5 * factors.length + 8 * this.#stretches.length
    for (let k = 0; k < factors.length; k++) this.#rounding += factors[k]! * (7 * (first + k) + weight)
    this.#stretches.push({ first, factors: factors.slice() })
  }

  /** The sum and its derivative. Angles advance by turns, and anew with each stretch, before errors grow. */
  at(w: number): { sum: number; slope: number } {
    const rate = (2 * Math.PI) / this.period
    const angle = rate * w
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    let sum = (2 * w) / this.period
    let slope = 2 / this.period
    for (const { first, factors } of this.#stretches) {
      let [x, y] = [Math.cos(first * angle), Math.sin(first * angle)]
      for (let k = 0; k < factors.length; k++) {
        const f = factors[k]!
        sum += f * y
        slope += f * (first + k) * rate * x
        const turned = x * c - y * s
        y = x * s + y * c
        x = turned
      }
    }
    return { sum, slope }
  }

  /**
   * A w in (0, period/2) at which the sum is at least the goal, and with 10^-10 less of it is not, or it is next to
   * nothing above: Newton's method between brackets.
   */
  reaching(goal: number, start: number): number {
    let [low, high] = [0, this.period / 2]
    let w = Math.min(start, high / 2)
    for (let i = 0; i < 100 && high - low > 1e-10; i++) {
      const { sum, slope } = this.at(w)
      if (sum >= goal) high = w
      else low = w
      const beyond = (sum - goal) / slope
      if (beyond >= 0 && beyond <= 1e-10) break
      // Aim a little beyond the root: any sum that reaches the goal will do.
      const next = w - beyond + 3e-11
      w = next > low && next < high ? next : (low + high) / 2
    }
    return high
  }
}
