import { subtractProducts, Triangle } from '../../numeric/index.ts'
import type { Certainty } from './certainty.ts'
import type { Weights } from './compile.ts'
import type { Covariances } from './covariance.ts'

/** A query this far from the others (squared, in its own norm) is independent of them: no rounding error is as large. */
const clear = 1e-3
/** Nearer than this a query is not taken into the basis: solutions would lose too many of their digits. */
const near = 1e-8
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

/** Queries on their way into the basis. */
interface Opened {
  readonly queries: readonly Weights[]
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
  readonly basis: Weights[]
  readonly #norms: number[]
  readonly #triangle: Triangle
  readonly #rooms: Float64Array[] = []
  readonly #covariances: Covariances
  readonly #certainty: Certainty

  constructor(covariances: Covariances, certainty: Certainty, basis: Weights[] = [], from?: Span) {
    this.#covariances = covariances
    this.#certainty = certainty
    this.basis = basis
    this.#norms = from ? from.#norms.slice() : []
    this.#triangle = from ? from.#triangle.fork() : new Triangle()
  }

  fork(): Span {
    const basis = this.basis.slice()
    return new Span(this.#covariances.fork(), this.#certainty.fork(basis), basis, this)
  }

  /** Is the query a proven combination of the basis? O(r²) for a basis of r. */
  place(query: Weights): Position {
    const norm = Math.sqrt(this.#covariances.unknownScale(query))
    if (norm === 0) return none
    const row = this.#fill(new Float64Array(this.basis.length), query, norm)
    this.#triangle.solve(row)
    const distance = row.reduce((left, x) => left - x * x, this.#covariances.unknown(query, query) / norm / norm)
    if (distance > clear) return { kind: 'independent' }
    this.#triangle.solveTransposed(row)
    return this.#judge(query, norm, row, distance)
  }

  /**
   * Places queries and takes the independent ones into the basis, the clearest of a block first. Those in doubt wait
   * until the others are in: they need a solution each, and many together are solved faster.
   */
  add(queries: readonly Weights[]): Position[] {
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

  #settle(queries: readonly Weights[]): Position[] {
    const opened = this.#open(queries)
    const { norms, rows, left, open } = opened
    const positions = queries.map((): Position => ({ kind: 'independent' }))
    this.#takeClear(opened)
    const solutions = rows.map((row) => row.slice())
    this.#triangle.solveRowsTransposed([...open].map((i) => solutions[i]!))
    while (open.size > 0) {
      const next = [...open].reduce((i, j) => (left[j]![j]! > left[i]![i]! ? j : i))
      const solution = solutions[next]!.subarray(0, this.basis.length)
      open.delete(next)
      positions[next] = this.#judge(queries[next]!, norms[next]!, solution, left[next]![next]!)
      if (positions[next].kind === 'independent') this.#extend(solutions, opened, next)
    }
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

  /** Takes in queries that are clearly independent, until there is none; returns them. */
  #takeClear(opened: Opened): number[] {
    const taken: number[] = []
    for (let best = farthest(opened); best !== undefined; best = farthest(opened)) {
      opened.open.delete(best)
      this.#take(opened, best)
      taken.push(best)
    }
    return taken
  }

  /** Solves the queries' rows, and takes what the basis explains from their inner products with each other. */
  #open(queries: readonly Weights[]): Opened {
    const norms = queries.map((query) => Math.sqrt(this.#covariances.unknownScale(query)))
    const open = new Set([...queries.keys()].filter((i) => norms[i] !== 0))
    const width = this.basis.length + open.size
    const rows = queries.map((query, i) => (open.has(i) ? this.#fill(this.#room(i, width), query, norms[i]!) : nowhere))
    const left = queries.map(() => new Float64Array(queries.length))
    for (const i of open)
      for (const j of open)
        if (j <= i)
          left[i]![j] = left[j]![i] = this.#covariances.unknown(queries[i]!, queries[j]!) / norms[i]! / norms[j]!
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

  /** Inner products with the basis, both normed. */
  #fill(row: Float64Array, query: Weights, norm: number): Float64Array {
    this.#covariances.unknownRow(query, this.basis, row)
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

  /** What a solution is worth, in normed queries, and how far it is off. */
  #judge(query: Weights, norm: number, solution: Float64Array, distance: number): Position {
    const size = solution.reduce((sum, x) => sum + Math.abs(x), 1)
    if (distance > near && distance > rounding * size * size) return { kind: 'independent' }
    const inSteps = solution.map((value, b) => (value * norm) / this.#norms[b]!)
    const proven = this.#certainty.prove(query, this.basis, inSteps)
    return proven ? { kind: 'dependent', solution: proven } : { kind: 'doubtful' }
  }
}

/** The open query farthest from all others, if that is clear enough. */
function farthest({ left, open }: Opened): number | undefined {
  let [best, most] = [-1, clear]
  for (const i of open) if (left[i]![i]! > most) [best, most] = [i, left[i]![i]!]
  return best < 0 ? undefined : best
}

function blocksOf(list: Iterable<number>, size: number): number[][] {
  const all = [...list]
  return Array.from({ length: Math.ceil(all.length / size) }, (_, k) => all.slice(k * size, (k + 1) * size))
}

const nowhere = new Float64Array(0)

/** Nothing of the query lies outside of what marginals know. */
const none: Position = { kind: 'dependent', solution: nowhere }
