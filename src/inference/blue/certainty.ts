import type { Universe } from '../../schema/index.ts'
import type { Weights } from './compile.ts'
import type { Components } from './components.ts'
import { Fingerprints } from './fingerprint.ts'
import { Field, ModularSpan, randomPrime } from './modular.ts'

/** Up to so many queries are eliminated modulo a prime; beyond that only the ones that the solution needs. */
const mostEliminated = 600
/** A proof is wrong with at most this probability, per prime. */
const doubt = 1e-18
/** How far off the floating-point solution may be when it is taken to the simplest fractions nearby. */
const tolerances = [1e-9, 1e-5]

/**
 * Proves that a query is a combination of others, in its part that marginals do not know. A floating-point residual
 * cannot: over 3·10^10 cells COUNT(*) WHERE NOT (one cell) misses COUNT(*) by 3·10^-11. So everything is done
 * modulo random primes. What is not proven counts as false.
 */
export class Certainty {
  readonly #fingerprints: readonly Fingerprints[]
  readonly #spare: number
  #eliminated: Eliminated | undefined

  private constructor(fingerprints: readonly Fingerprints[], spare: number) {
    this.#fingerprints = fingerprints
    this.#spare = spare
  }

  /** Without components the whole query counts. */
  static over(universe: Universe, components: Components | undefined, random: () => number): Certainty {
    const prints = () => new Fingerprints(new Field(randomPrime(random)), universe, components, random)
    const degree = universe.attributes.reduce((sum, a) => sum + a.size, 1)
    const spare = Math.ceil(Math.log(doubt) / Math.log(Math.min(0.5, degree / 2 ** 29)))
    return new Certainty([prints(), prints()], spare)
  }

  /** For a basis that goes on differently from now on; primes and points stay. */
  fork(basis: readonly Weights[]): Certainty {
    const other = new Certainty(this.#fingerprints, this.#spare)
    const kept = this.#eliminated
    if (kept) other.#eliminated = { ...kept, basis, spans: kept.spans.map((span) => span.fork()) }
    return other
  }

  /**
   * `solution` says nearly how q is made of the basis. Returns a proven solution: the fractions that were meant, where
   * they are simple, else the numbers given; undefined where nothing is proven. A list given as basis may only grow.
   */
  prove(q: Weights, basis: readonly Weights[], solution: Float64Array): Float64Array | undefined {
    for (const tolerance of tolerances) {
      const fractions = fractionsOf(solution, tolerance)
      if (!this.#fingerprints.every((prints) => this.#adds(prints, q, basis, fractions))) continue
      const exact = new Float64Array(solution.length)
      for (const { place, num, den } of fractions) exact[place] = num / den
      return exact
    }
    return this.#spans(q, basis, solution) ? solution : undefined
  }

  #adds(prints: Fingerprints, q: Weights, basis: readonly Weights[], fractions: readonly Share[]): boolean {
    const { field } = prints
    const sum = prints.of(q, this.#spare).slice()
    for (const { place, num, den } of fractions) {
      const times = field.multiply(field.of(num), field.invert(field.of(den)))
      const values = prints.of(basis[place]!, this.#spare)
      for (let k = 0; k < sum.length; k++) sum[k] = field.subtract(sum[k]!, field.multiply(times, values[k]!))
    }
    return sum.every((value) => value === 0)
  }

  #spans(q: Weights, basis: readonly Weights[], solution: Float64Array): boolean {
    if (basis.length <= mostEliminated) {
      const { spans, points } = this.#eliminate(basis)
      return this.#fingerprints.every((prints, i) => spans[i]!.contains(prints.of(q, points)))
    }
    const least = solution.reduce((most, value) => Math.max(most, Math.abs(value)), 0) * 1e-7
    const support = basis.filter((_, i) => Math.abs(solution[i]!) > least)
    if (support.length > mostEliminated) return false
    const points = support.length + this.#spare
    return this.#fingerprints.every((prints) => {
      const span = new ModularSpan(prints.field)
      for (const query of support) span.add(prints.of(query, points))
      return span.contains(prints.of(q, points))
    })
  }

  /** A basis that only grows is eliminated once and continued; with twice the points when they run out. */
  #eliminate(basis: readonly Weights[]): Eliminated {
    let kept = this.#eliminated
    if (kept?.basis !== basis || kept.points < basis.length + this.#spare) {
      const points = 2 * basis.length + this.#spare
      kept = { basis, spans: this.#fingerprints.map(({ field }) => new ModularSpan(field)), points, count: 0 }
      this.#eliminated = kept
    }
    for (; kept.count < basis.length; kept.count++) {
      const query = basis[kept.count]!
      for (const [i, prints] of this.#fingerprints.entries()) kept.spans[i]!.add(prints.of(query, kept.points))
    }
    return kept
  }
}

/** The first `count` queries of a basis, as spans modulo each prime. */
interface Eliminated {
  readonly basis: readonly Weights[]
  readonly spans: readonly ModularSpan[]
  readonly points: number
  count: number
}

/** A part num/den of one of the basis' queries. */
interface Share {
  readonly place: number
  readonly num: number
  readonly den: number
}

/** The simplest fractions near a solution, without its zeros. */
function fractionsOf(solution: Float64Array, tolerance: number): Share[] {
  const shares: Share[] = []
  for (let place = 0; place < solution.length; place++) {
    const value = solution[place]!
    if (Math.abs(value) <= tolerance) continue
    const [num, den] = simplest(value, tolerance * Math.max(1, Math.abs(value)))
    shares.push({ place, num, den })
  }
  return shares
}

/** The fraction with the smallest denominator within ±tolerance, by Stern and Brocot's descent in strides. */
function simplest(value: number, tolerance: number): readonly [number, number] {
  if (value < 0) {
    const [num, den] = simplest(-value, tolerance)
    return [-num, den]
  }
  return between(value - tolerance, value + tolerance, 40)
}

/** The simplest fraction between two positive numbers. */
function between(low: number, high: number, depth: number): readonly [number, number] {
  const whole = Math.ceil(low)
  if (whole <= high || depth === 0) return [whole, 1]
  const floor = Math.floor(low)
  const [num, den] = between(1 / (high - floor), 1 / (low - floor), depth - 1)
  return [floor * num + den, num]
}
