import type { Universe } from '../../../schema/index.ts'
import type { Weights } from '../compile.ts'
import { kept } from '../kept.ts'
import type { Components } from '../marginals/components.ts'
import type { Sparse, Vector } from '../scalars/corners.ts'
import { Echelon } from './echelon.ts'
import { Fingerprints } from './fingerprint.ts'
import { type Share, sharesOf } from './fractions.ts'
import { Field, randomPrime } from './modular.ts'

/** Up to so many queries are eliminated modulo a prime; beyond that only the ones that the solution needs. */
const mostEliminated = 1024
/** A proof is wrong with at most this probability, per prime. */
const doubt = 1e-18
/** How far off the floating-point solution may be when it is taken to the simplest fractions nearby. */
const tolerances = [1e-9, 1e-5]

/** A query, and nearly how it is made of the basis. */
interface Guess {
  readonly query: Vector
  readonly solution: Float64Array
}

/** A proven solution: the fractions that were meant, where they are simple, else (not exact) the numbers given. */
interface Proof {
  readonly solution: Float64Array
  readonly exact: boolean
}

/**
 * The room's main file: docs/algorithms/blue.md, section 4; why primes: docs/decisions/0013-proofs-modulo-primes.md.
 * Proves that a query is a combination of others, in its part that marginals do not know. A floating-point residual
 * cannot: over 3·10^10 cells COUNT(*) WHERE NOT (one cell) misses COUNT(*) by 3·10^-11. So everything is done
 * modulo random primes. What is not proven counts as false.
 */
export class Certainty {
  readonly #fingerprints: readonly Fingerprints[]
  readonly #spare: number
  readonly #random: () => number
  #eliminated: Eliminated | undefined

  private constructor(fingerprints: readonly Fingerprints[], spare: number, random: () => number) {
    this.#fingerprints = fingerprints
    this.#spare = spare
    this.#random = random
  }

  /** Without components the whole query counts. */
  static over(universe: Universe, components: Components | undefined, random: () => number): Certainty {
    const prints = () => new Fingerprints(new Field(randomPrime(random)), universe, components, random)
    const degree = universe.attributes.reduce((sum, a) => sum + a.size, 1)
    const spare = Math.ceil(Math.log(doubt) / Math.log(Math.min(0.5, degree / 2 ** 29)))
    return new Certainty([prints(), prints()], spare, random)
  }

  /** For a basis that goes on differently from now on; primes and points stay. */
  fork(basis: readonly Vector[]): Certainty {
    const other = new Certainty(this.#fingerprints, this.#spare, this.#random)
    const done = this.#eliminated
    if (done)
      other.#eliminated = {
        ...done,
        basis,
        spans: done.spans.map((span) => span.fork()),
        columns: done.columns && new Map(done.columns),
      }
    return other
  }

  /** One proof, or undefined, for each guess. A list given as basis may only grow. */
  prove(guesses: readonly Guess[], basis: readonly Vector[]): (Proof | undefined)[] {
    const proofs = guesses.map((guess) => this.#byFractions(guess, basis))
    const open = guesses.filter((_, i) => !proofs[i])
    const spanned = open.length > 0 ? this.#spanned(open, basis) : new Set<Guess>()
    return guesses.map(
      (guess, i) => proofs[i] ?? (spanned.has(guess) ? { solution: guess.solution, exact: false } : undefined),
    )
  }

  /** Is one query a multiple of another? By what? */
  multiple(query: Weights, other: Weights, guess: number): number | undefined {
    const [q, of] = [query, other].map((weights) => ({ weights, sparse: undefined })) as [Vector, Vector]
    return this.#byFractions({ query: q, solution: Float64Array.of(guess) }, [of])?.solution[0]
  }

  #byFractions({ query, solution }: Guess, basis: readonly Vector[]): Proof | undefined {
    for (const tolerance of tolerances) {
      const shares = sharesOf(solution, tolerance)
      if (!shares || !this.#fingerprints.every((prints) => this.#adds(prints, query, basis, shares))) continue
      const exact = new Float64Array(solution.length)
      for (const { place, num, den } of shares) exact[place] = num / den
      return { solution: exact, exact: true }
    }
    return undefined
  }

  /** Whether shares add up to the query: at all corners, where they are listed, else at random points. */
  #adds(prints: Fingerprints, query: Vector, basis: readonly Vector[], shares: readonly Share[]): boolean {
    const { field } = prints
    const parts = shares.map(({ place, num, den }) => ({
      ...basis[place]!,
      times: den === 1 ? field.of(num) : field.multiply(field.of(num), field.invert(field.of(den))),
    }))
    if (query.sparse && parts.every(({ sparse }) => sparse)) return addsAtCorners(field, query.sparse, parts)
    const sum = prints.of(query.weights, this.#spare).slice(0, this.#spare)
    for (const { weights, times } of parts) {
      const values = prints.of(weights, this.#spare)
      for (let k = 0; k < sum.length; k++) sum[k] = field.subtract(sum[k]!, field.multiply(times, values[k]!))
    }
    return sum.every((value) => value === 0)
  }

  /** Those that lie in the span of the basis. */
  #spanned(guesses: readonly Guess[], basis: readonly Vector[]): Set<Guess> {
    if (basis.length <= mostEliminated) return this.#within(guesses, this.#eliminate(basis))
    return new Set(
      guesses.filter((guess) => {
        const least = guess.solution.reduce((most, value) => Math.max(most, Math.abs(value)), 0) * 1e-7
        const support = basis.filter((_, i) => Math.abs(guess.solution[i]!) > least)
        return support.length <= mostEliminated && this.#within([guess], this.#begin(support)).size > 0
      }),
    )
  }

  /**
   * All at once: a random combination of queries, not all of which lie in the span, does so with probability 1/prime.
   * Where it does not, each half is looked at.
   */
  #within(guesses: readonly Guess[], eliminated: Eliminated): Set<Guess> {
    const inside = this.#fingerprints.every((prints, i) => {
      const sum = new Float64Array(widthOf(eliminated))
      for (const { query } of guesses) {
        const times = 1 + Math.floor(this.#random() * (prints.field.prime - 1))
        const row = this.#rowOf(query, prints, eliminated)
        if (!row) return false
        for (let k = 0; k < sum.length; k++)
          if (row[k] !== 0) sum[k] = prints.field.add(sum[k]!, prints.field.multiply(times, row[k]!))
      }
      return eliminated.spans[i]!.contains(sum)
    })
    if (inside) return new Set(guesses)
    if (guesses.length === 1) return new Set()
    const middle = guesses.length >> 1
    return this.#within(guesses.slice(0, middle), eliminated).union(this.#within(guesses.slice(middle), eliminated))
  }

  /** A basis that only grows is eliminated once and continued; anew when points run out, or corners. */
  #eliminate(basis: readonly Vector[]): Eliminated {
    const done = this.#eliminated
    const goesOn =
      done?.basis === basis &&
      (done.columns ? basis.every(({ sparse }) => sparse) : done.points >= basis.length + this.#spare)
    if (!goesOn) this.#eliminated = this.#begin(basis)
    else this.#continue(done)
    return this.#eliminated!
  }

  #begin(basis: readonly Vector[]): Eliminated {
    const listed = basis.every(({ sparse }) => sparse)
    const eliminated = {
      basis,
      spans: this.#fingerprints.map(({ field }) => new Echelon(field)),
      columns: listed ? new Map<number, number>() : undefined,
      points: 2 * basis.length + this.#spare,
      count: 0,
    }
    this.#continue(eliminated)
    return eliminated
  }

  #continue(eliminated: Eliminated): void {
    const { basis, columns } = eliminated
    const fresh = basis.slice(eliminated.count)
    if (columns)
      for (const { sparse } of fresh) for (const corner of sparse!.at) kept(columns, corner, () => columns.size)
    for (const [i, prints] of this.#fingerprints.entries())
      eliminated.spans[i]!.add(fresh.map((query) => this.#rowOf(query, prints, eliminated)!))
    eliminated.count = basis.length
  }

  /** A query's residues at the columns, or points; undefined where it has a corner that the basis lacks. */
  #rowOf({ weights, sparse }: Vector, prints: Fingerprints, eliminated: Eliminated): Float64Array | undefined {
    const { columns, points } = eliminated
    if (!columns) return prints.of(weights, points).slice(0, points)
    if (!sparse) return undefined
    const row = new Float64Array(columns.size)
    for (let k = 0; k < sparse.at.length; k++) {
      const column = columns.get(sparse.at[k]!)
      if (column === undefined) return undefined
      row[column] = prints.field.of(sparse.values[k]!)
    }
    return row
  }
}

/** The first `count` queries of a basis, modulo each prime: at corners where all are listed, else at random points. */
interface Eliminated {
  readonly basis: readonly Vector[]
  readonly spans: readonly Echelon[]
  readonly columns: Map<number, number> | undefined
  readonly points: number
  count: number
}

const widthOf = ({ columns, points }: Eliminated) => columns?.size ?? points

function addsAtCorners(field: Field, query: Sparse, parts: readonly (Vector & { readonly times: number })[]): boolean {
  const left = new Map<number, number>()
  for (let k = 0; k < query.at.length; k++) left.set(query.at[k]!, field.of(query.values[k]!))
  for (const { sparse, times } of parts)
    for (let k = 0; k < sparse!.at.length; k++) {
      const part = field.multiply(times, field.of(sparse!.values[k]!))
      left.set(sparse!.at[k]!, field.subtract(left.get(sparse!.at[k]!) ?? 0, part))
    }
  return left.values().every((value) => value === 0)
}
