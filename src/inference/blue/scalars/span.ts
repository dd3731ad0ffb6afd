import { subtractProducts, Triangle } from '../../../numeric/index.ts'
import type { Certainty } from '../proof/certainty.ts'
import type { Listed, Sparse, Vector } from './corners.ts'
import { isListed, type Space } from './space.ts'

/** A query this far from the others (squared, in its own norm) is independent of them: no rounding error is as large. */
const clear = 1e-3
/** Nearer than this (squared) inner products do not tell the distance well enough, but the difference itself does. */
const near = 1e-8
/** Nearer than this (not squared), per size of the solution, a query is set aside: nothing but rounding errors is left. */
const roundingTolerance = 1e-9
/** Rounding errors of a distance, per square of the solution's size. */
const rounding = 1e-12

/** A change by less than this share leaves an error of its square: nothing. */
const enough = 1e-8
const mostRounds = 4

/** Queries that are taken in together: enough of them to multiply matrices with. */
const blockSize = 128

/**
 * How a query lies to the basis, in its part that marginals do not know: a new direction, a combination of the basis
 * (proven, with its solution in steps, exact but for the last digit or refined), or too near to tell.
 */
export type Position =
  | { readonly kind: 'independent' }
  | { readonly kind: 'dependent'; readonly solution: Float64Array; readonly exact: boolean }
  | { readonly kind: 'doubtful' }

/** A query that was measured. */
interface Measured extends Vector {
  readonly variance: number
}

/** Queries on their way into the basis. */
interface Opened {
  readonly queries: readonly Measured[]
  readonly norms: readonly number[]
  /** Coordinates in the basis, which get one more whenever it grows. */
  readonly rows: readonly Float64Array[]
  /** Inner products of what the basis does not explain of them. */
  readonly left: readonly Float64Array[]
  /** Those that are not placed yet. */
  readonly open: Set<number>
}

/** A basis of the queries asked so far and the Cholesky factor of their inner products; both only grow. */
export class Span {
  readonly basis: Vector[]
  readonly #norms: number[]
  readonly #triangle: Triangle
  readonly #rooms: Float64Array[] = []
  readonly #space: Space
  readonly #certainty: Certainty

  constructor(space: Space, certainty: Certainty, basis: Vector[] = [], from?: Span) {
    this.#space = space
    this.#certainty = certainty
    this.basis = basis
    this.#norms = from ? from.#norms.slice() : []
    this.#triangle = from ? from.#triangle.fork() : new Triangle()
  }

  fork(): Span {
    const basis = this.basis.slice()
    return new Span(this.#space, this.#certainty.fork(basis), basis, this)
  }

  /** Is the query a proven combination of the basis? O(r²) for a basis of r. */
  place(query: Vector): Position {
    const norm = this.#space.norm(query)
    if (norm === 0) return none
    const [row, own] = [new Float64Array(this.basis.length), new Float64Array(1)]
    this.#fill([query], [norm], [row])
    this.#space.fillRows([query], [query], [own])
    this.#triangle.solve(row)
    const distance = row.reduce((left, x) => left - x * x, own[0]! / norm / norm)
    if (distance > clear) return { kind: 'independent' }
    this.#triangle.solveTransposed(row)
    if (isApart(row, distance)) return { kind: 'independent' }
    return this.#judge([query], [norm], [row])[0]!
  }

  /** How a combination of listed queries is made of the basis: what shares that should add up to 0 have missed. */
  solve(parts: readonly { readonly sparse: Sparse; readonly times: number }[]): Float64Array {
    const { products } = this.#space.sum(parts, this.basis as readonly Listed[])
    const normed = products.map((value, b) => value / this.#norms[b]!)
    this.#triangle.solve(normed)
    this.#triangle.solveTransposed(normed)
    return normed.map((value, b) => value / this.#norms[b]!)
  }

  /**
   * Places queries and takes the independent ones into the basis. Those in doubt wait until the others are in: they need
   * a solution each, and many together are solved faster.
   */
  add(queries: readonly Measured[]): Position[] {
    const positions = queries.map((): Position => none)
    const norms = queries.map((query) => this.#space.norm(query))
    const open = (block: readonly number[]) =>
      this.#open(
        block.map((i) => queries[i]!),
        block.map((i) => norms[i]!),
      )
    const unknown = [...queries.keys()].filter((i) => norms[i] !== 0)
    // A single block is open until all of it is placed.
    const blocks = blocksOf(unknown, blockSize)
    const doubtful =
      blocks.length <= 1
        ? unknown
        : blocks.flatMap((block) => {
            const opened = open(block)
            for (const k of this.#takeClear(opened)) positions[block[k]!] = { kind: 'independent' }
            return [...opened.open].map((k) => block[k]!)
          })
    for (const block of blocksOf(doubtful, 4 * blockSize))
      for (const [k, position] of this.#settle(open(block)).entries()) positions[block[k]!] = position
    return positions
  }

  /** Solves the queries' rows, and takes what the basis explains from their inner products with each other. */
  #open(queries: readonly Measured[], norms: readonly number[]): Opened {
    const rows = queries.map((_, i) => this.#room(i, this.basis.length + queries.length))
    const left = queries.map(() => new Float64Array(queries.length))
    this.#fill(queries, norms, rows)
    this.#space.fillRows(queries, queries, left)
    const lengths = Float64Array.from(norms)
    for (const [i, row] of left.entries()) norm(row, norms[i]!, lengths)
    this.#triangle.solveRows(rows)
    const solved = rows.map((row) => row.subarray(0, this.basis.length))
    subtractProducts(left, solved, solved)
    return { queries, norms, rows, left, open: new Set(queries.keys()) }
  }

  /** Room for a row, used again for every block: fresh memory costs more than filling it. Holds rubbish. */
  #room(i: number, width: number): Float64Array {
    const room = this.#rooms[i]
    if (room && room.length >= width) return room.subarray(0, width)
    this.#rooms[i] = new Float64Array(2 * width)
    return this.#rooms[i].subarray(0, width)
  }

  /** Inner products with the basis, both normed. */
  #fill(queries: readonly Vector[], norms: readonly number[], rows: readonly Float64Array[]): void {
    this.#space.fillRows(queries, this.basis, rows)
    const lengths = Float64Array.from(this.#norms)
    for (const [i, row] of rows.entries()) norm(row, norms[i]!, lengths)
  }

  /** Takes in queries that are clearly independent, until there is none; returns them. */
  #takeClear(opened: Opened): number[] {
    const taken: number[] = []
    for (let best = surest(opened); best !== undefined; best = surest(opened)) {
      opened.open.delete(best)
      this.#take(opened, best)
      taken.push(best)
    }
    return taken
  }

  #take({ queries, norms, rows, left, open }: Opened, taken: number): void {
    const place = this.basis.length
    const pivot = Math.sqrt(left[taken]![taken]!)
    // What is no longer open changes as well: nobody looks at it.
    const column = left[taken]!.map((value) => value / pivot)
    for (const i of open) {
      rows[i]![place] = column[i]!
      subtract(left[i]!, column, column[i]!)
    }
    this.#push(queries[taken]!, norms[taken]!, rows[taken]!, pivot)
  }

  #push(query: Vector, norm: number, row: Float64Array, pivot: number): void {
    this.#triangle.push(row, pivot)
    this.basis.push(query)
    this.#norms.push(norm)
  }

  #settle(opened: Opened): Position[] {
    const { queries, norms, rows, left, open } = opened
    const positions = queries.map((): Position => ({ kind: 'independent' }))
    this.#takeClear(opened)
    const solutions = rows.map((row) => row.slice())
    this.#triangle.solveRowsTransposed([...open].map((i) => solutions[i]!))
    const solutionOf = (i: number) => solutions[i]!.subarray(0, this.basis.length)
    const apart = () => [...open].filter((i) => isApart(solutionOf(i), left[i]![i]!))
    for (let list = apart(); list.length > 0; list = apart()) {
      const next = list.reduce((i, j) => (left[j]![j]! > left[i]![i]! ? j : i))
      open.delete(next)
      this.#extend(solutions, opened, next)
    }
    const rest = [...open]
    const judged = this.#judge(
      rest.map((i) => queries[i]!),
      rest.map((i) => norms[i]!),
      rest.map(solutionOf),
    )
    for (const [k, i] of rest.entries())
      positions[i] = judged[k]!.kind === 'doubtful' ? this.#approach(queries[i]!, norms[i]!) : judged[k]!
    return positions
  }

  /** Takes a query in after all: the others' solutions get a share of it, and lose its own solution in that measure. */
  #extend(solutions: readonly Float64Array[], opened: Opened, taken: number): void {
    const place = this.basis.length
    const distance = opened.left[taken]![taken]!
    for (const i of opened.open) {
      const share = opened.left[i]![taken]! / distance
      const solution = solutions[i]!
      for (let b = 0; b < place; b++) solution[b]! -= share * solutions[taken]![b]!
      solution[place] = share
    }
    this.#take(opened, taken)
  }

  /** Takes in a query that is near to the basis, if what is left of it can be told from rounding errors. */
  #approach(query: Vector, norm: number): Position {
    const row = new Float64Array(this.basis.length)
    this.#fill([query], [norm], [row])
    this.#triangle.solve(row)
    const guess = row.slice()
    this.#triangle.solveTransposed(guess)
    // The basis may have grown since.
    const [position] = this.#judge([query], [norm], [guess])
    if (position!.kind === 'dependent' || !isListed(query) || !this.basis.every(isListed)) return position!
    const [solution] = this.#refined([query], [this.#inSteps(guess, norm)])!
    const [rest] = this.#space.rests([query], this.basis, [solution!])
    if (!(rest!.length > roundingTolerance * this.#sizeOf(solution!, norm))) return position!
    this.#push(query, norm, row, rest!.length / norm)
    return { kind: 'independent' }
  }

  /** What solutions are worth, in normed queries. One that is neither exact nor can be refined is worth nothing. */
  #judge(queries: readonly Vector[], norms: readonly number[], solutions: readonly Float64Array[]): Position[] {
    const guesses = queries.map((query, i) => ({ query, solution: this.#inSteps(solutions[i]!, norms[i]!) }))
    const proofs = this.#certainty.prove(guesses, this.basis)
    const inexact = guesses.filter((_, i) => proofs[i] && !proofs[i].exact)
    const refined = this.#refined(
      inexact.map(({ query }) => query),
      inexact.map(({ solution }) => solution),
    )
    return guesses.map((guess, i): Position => {
      const solution = proofs[i]?.exact ? proofs[i].solution : refined?.[inexact.indexOf(guess)]
      const exact = proofs[i]?.exact === true
      return solution?.every(Number.isFinite) ? { kind: 'dependent', solution, exact } : { kind: 'doubtful' }
    })
  }

  #inSteps(solution: Float64Array, norm: number): Float64Array {
    return solution.map((value, b) => (value * norm) / this.#norms[b]!)
  }

  #sizeOf(solution: Float64Array, norm = 0): number {
    return solution.reduce((sum, value, b) => sum + Math.abs(value) * this.#norms[b]!, norm)
  }

  /**
   * Inner products square the errors of a solution; what it leaves of the query itself does not. So that is solved again,
   * which multiplies the error by about itself. Fractions need no such thing.
   */
  #refined(queries: readonly Vector[], given: readonly Float64Array[]): readonly Float64Array[] | undefined {
    const { basis } = this
    if (!queries.every(isListed) || !basis.every(isListed)) return undefined
    let solutions = given
    let before = Number.POSITIVE_INFINITY
    for (let round = 0; round < mostRounds; round++) {
      const changes = this.#space.rests(queries, basis, solutions).map(({ products }) => products)
      for (const row of changes) for (let b = 0; b < row.length; b++) row[b] = row[b]! / this.#norms[b]!
      this.#triangle.solveRows(changes)
      this.#triangle.solveRowsTransposed(changes)
      for (const row of changes) for (let b = 0; b < row.length; b++) row[b] = row[b]! / this.#norms[b]!
      const change = changes.reduce(
        (most, row, i) => Math.max(most, this.#sizeOf(row) / this.#sizeOf(solutions[i]!)),
        0,
      )
      if (!(change < before)) break
      solutions = solutions.map((solution, i) => solution.map((value, b) => value + changes[i]![b]!))
      if (change < enough) break
      before = change
    }
    return solutions
  }
}

// The loops over numbers are functions by themselves, of typed arrays alone: the compiler makes such a one fast at its first use.

/** Inner products of a query of this length with others, as those of queries of length 1. */
function norm(products: Float64Array, length: number, lengths: Float64Array): void {
  for (let j = 0; j < lengths.length; j++) products[j] = products[j]! / length / lengths[j]!
}

function subtract(row: Float64Array, column: Float64Array, times: number): void {
  if (times !== 0) for (let j = 0; j < row.length; j++) row[j]! -= times * column[j]!
}

/** Is a query farther from the basis than its solution's rounding errors? */
function isApart(solution: Float64Array, distance: number): boolean {
  if (!(distance > near)) return false
  const size = solution.reduce((sum, x) => sum + Math.abs(x), 1)
  return distance > rounding * size * size
}

/**
 * Of the open queries that are clear of all others, the one whose new part is known best: then the others are small
 * multiples of the basis, measured in standard deviations, and least squares loses no digits to them.
 */
function surest({ queries, norms, left, open }: Opened): number | undefined {
  let [best, most] = [-1, 0]
  for (const i of open) {
    const distance = left[i]![i]!
    const precision = (distance * norms[i]! * norms[i]!) / queries[i]!.variance
    if (distance > clear && precision > most) [best, most] = [i, precision]
  }
  return best < 0 ? undefined : best
}

function blocksOf(list: Iterable<number>, size: number): number[][] {
  const all = [...list]
  return Array.from({ length: Math.ceil(all.length / size) }, (_, k) => all.slice(k * size, (k + 1) * size))
}

/** Nothing of the query lies outside of what marginals know. */
const none: Position = { kind: 'dependent', solution: new Float64Array(0), exact: true }
