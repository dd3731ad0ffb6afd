import { subtractProducts, Triangle } from '../../numeric/index.ts'
import type { Certainty } from './certainty.ts'
import type { Vector } from './corners.ts'
import type { Space } from './space.ts'

/** A query this far from the others (squared, in its own norm) is independent of them: no rounding error is as large. */
const clear = 1e-3
/** Nearer than this (squared) inner products do not tell the distance well enough, but the difference itself does. */
const near = 1e-8
/** Nearer than this (not squared), per size of the solution, a query is set aside: nothing but rounding errors is left. */
const nothing = 1e-9
/** Rounding errors of a distance, per square of the solution's size. */
const rounding = 1e-12

/** Queries that are taken in together: enough of them to multiply matrices with. */
const together = 128

/**
 * How a query lies to the basis, in its part that marginals do not know: a new direction, a combination of the basis
 * (proven, with its solution in steps), or too near to tell.
 */
export type Position =
  | { readonly kind: 'independent' }
  | { readonly kind: 'dependent'; readonly solution: Float64Array }
  | { readonly kind: 'doubtful' }

/** A query that was measured. */
export interface Measured extends Vector {
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
    const row = this.#fill(new Float64Array(this.basis.length), query, norm)
    this.#triangle.solve(row)
    const distance = row.reduce((left, x) => left - x * x, this.#inner(query, query) / norm / norm)
    if (distance > clear) return { kind: 'independent' }
    this.#triangle.solveTransposed(row)
    if (isApart(row, distance)) return { kind: 'independent' }
    return this.#judge([query], [norm], [row])[0]!
  }

  /**
   * Places queries and takes the independent ones into the basis. Those in doubt wait until the others are in: they need
   * a solution each, and many together are solved faster.
   */
  add(queries: readonly Measured[]): Position[] {
    const positions = queries.map((): Position | undefined => undefined)
    const doubtful = blocksOf(queries.keys(), together).flatMap((block) => {
      const opened = this.#open(block.map((i) => queries[i]!))
      for (const [k, i] of block.entries()) if (!opened.open.has(k)) positions[i] = none
      for (const k of this.#takeClear(opened)) positions[block[k]!] = { kind: 'independent' }
      return [...opened.open].map((k) => block[k]!)
    })
    for (const block of blocksOf(doubtful, 4 * together))
      for (const [k, position] of this.#settle(block.map((i) => queries[i]!)).entries()) positions[block[k]!] = position
    return positions as Position[]
  }

  #settle(queries: readonly Measured[]): Position[] {
    const opened = this.#open(queries)
    const { norms, rows, left, open } = opened
    const positions = queries.map((): Position => ({ kind: 'independent' }))
    this.#takeClear(opened)
    const solutions = rows.map((row) => row.slice())
    this.#triangle.solveRowsTransposed([...open].map((i) => solutions[i]!))
    const apart = () => [...open].filter((i) => isApart(solutions[i]!.subarray(0, this.basis.length), left[i]![i]!))
    for (let list = apart(); list.length > 0; list = apart()) {
      const next = list.reduce((i, j) => (left[j]![j]! > left[i]![i]! ? j : i))
      open.delete(next)
      this.#extend(solutions, opened, next)
    }
    const rest = [...open]
    const judged = this.#judge(
      rest.map((i) => queries[i]!),
      rest.map((i) => norms[i]!),
      rest.map((i) => solutions[i]!.subarray(0, this.basis.length)),
    )
    for (const [k, i] of rest.entries())
      positions[i] = judged[k]!.kind === 'doubtful' ? this.#approach(queries[i]!, norms[i]!) : judged[k]!
    return positions
  }

  /** Takes in a query that is near to the basis, if what is left of it can be told from rounding errors. */
  #approach(query: Vector, norm: number): Position {
    const row = this.#fill(new Float64Array(this.basis.length), query, norm)
    this.#triangle.solve(row)
    const guess = row.slice()
    this.#triangle.solveTransposed(guess)
    const [proven] = this.#judge([query], [norm], [guess])
    if (proven!.kind === 'dependent' || !query.sparse) return proven!
    const solution = this.#refined(query, this.#inSteps(guess, norm))
    const rest = solution && this.#space.rest(query.sparse, this.basis, solution)
    if (!rest) return { kind: 'doubtful' }
    const size = solution.reduce((sum, value, b) => sum + Math.abs(value) * this.#norms[b]!, norm)
    if (!(rest > nothing * size)) return { kind: 'doubtful' }
    this.#triangle.push(row, rest / norm)
    this.basis.push(query)
    this.#norms.push(norm)
    return { kind: 'independent' }
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

  /** Solves the queries' rows, and takes what the basis explains from their inner products with each other. */
  #open(queries: readonly Measured[]): Opened {
    const norms = queries.map((query) => this.#space.norm(query))
    const open = new Set([...queries.keys()].filter((i) => norms[i] !== 0))
    const width = this.basis.length + open.size
    const rows = queries.map((query, i) => (open.has(i) ? this.#fill(this.#room(i, width), query, norms[i]!) : nowhere))
    const left = queries.map((query, i) => {
      const row = new Float64Array(queries.length)
      if (open.has(i)) this.#space.fill(query, queries, row)
      for (let j = 0; j < row.length; j++) row[j] = open.has(i) && open.has(j) ? row[j]! / norms[i]! / norms[j]! : 0
      return row
    })
    this.#triangle.solveRows([...open].map((i) => rows[i]!))
    const solved = rows.map((row) => row.subarray(0, this.basis.length))
    subtractProducts(left, solved, solved)
    return { queries, norms, rows, left, open }
  }

  /** Room for a row, used again for every block: fresh memory costs more than filling it. Holds rubbish. */
  #room(i: number, width: number): Float64Array {
    const room = this.#rooms[i]
    if (room && room.length >= width) return room.subarray(0, width)
    this.#rooms[i] = new Float64Array(2 * width)
    return this.#rooms[i].subarray(0, width)
  }

  #inner(query: Vector, other: Vector): number {
    const one = new Float64Array(1)
    this.#space.fill(query, [other], one)
    return one[0]!
  }

  /** Inner products with the basis, both normed. */
  #fill(row: Float64Array, query: Vector, norm: number): Float64Array {
    this.#space.fill(query, this.basis, row)
    for (let b = 0; b < this.basis.length; b++) row[b] = row[b]! / norm / this.#norms[b]!
    return row
  }

  #take({ queries, norms, rows, left, open }: Opened, taken: number): void {
    const place = this.basis.length
    const pivot = Math.sqrt(left[taken]![taken]!)
    // What is no longer open changes as well: nobody looks at it.
    const column = left[taken]!.map((value) => value / pivot)
    for (const i of open) {
      const x = column[i]!
      const row = left[i]!
      rows[i]![place] = x
      if (x !== 0) for (let j = 0; j < row.length; j++) row[j]! -= x * column[j]!
    }
    this.#triangle.push(rows[taken]!, pivot)
    this.basis.push(queries[taken]!)
    this.#norms.push(norms[taken]!)
  }

  /** What solutions are worth, in normed queries. */
  #judge(queries: readonly Vector[], norms: readonly number[], solutions: readonly Float64Array[]): Position[] {
    const guesses = queries.map((query, i) => ({ query, solution: this.#inSteps(solutions[i]!, norms[i]!) }))
    return this.#certainty.prove(guesses, this.basis).map((proof, i): Position => {
      if (!proof?.solution.every(Number.isFinite)) return { kind: 'doubtful' }
      const { solution, exact } = proof
      return { kind: 'dependent', solution: exact ? solution : this.#refined(queries[i]!, solution) }
    })
  }

  #inSteps(solution: Float64Array, norm: number): Float64Array {
    return solution.map((value, b) => (value * norm) / this.#norms[b]!)
  }

  /**
   * Inner products square the errors of a solution; what it leaves of the query itself does not. So that is solved again,
   * as long as it helps. Fractions need no such thing.
   */
  #refined({ sparse }: Vector, given: Float64Array): Float64Array {
    let solution = given
    let before = Number.POSITIVE_INFINITY
    for (let round = 0; sparse && round < 4; round++) {
      const rest = this.#space.fillRest(sparse, this.basis, solution)
      if (!rest) return solution
      for (let b = 0; b < rest.length; b++) rest[b] = rest[b]! / this.#norms[b]!
      this.#triangle.solve(rest)
      this.#triangle.solveTransposed(rest)
      const change = rest.reduce((sum, x) => sum + Math.abs(x), 0)
      if (!(change < before / 2)) break
      before = change
      solution = solution.map((value, b) => value + rest[b]! / this.#norms[b]!)
      if (change < 1e-14 * solution.reduce((sum, x, b) => sum + Math.abs(x) * this.#norms[b]!, 0)) break
    }
    return solution
  }
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

const nowhere = new Float64Array(0)

/** Nothing of the query lies outside of what marginals know. */
const none: Position = { kind: 'dependent', solution: nowhere }
