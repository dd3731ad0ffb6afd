import { addMeans, potential, type Scope } from '../scope.ts'

/** What a scope's features and its cells do to each other. */
export interface ScopeRows {
  /** Writes Σ number·feature over the cells. */
  means(table: Float64Array, into: Float64Array): void
  /** Writes Σ w·feature for every cell. */
  potential(w: Float64Array, table: Float64Array): void
}

/** By runs where these are much fewer than the entries, else entry by entry. */
export function scopeRows(scope: Scope): ScopeRows {
  const runs = runsOf(scope)
  if (scope.cells + 2 * runs.weights.length < scope.places.length) return byRuns(scope, runs)
  return {
    means: (table, into) => addMeans(scope, table, into),
    potential: (w, table) => {
      potential(scope, w, table.fill(0))
    },
  }
}

/** Neighbouring cells with one weight: the first of them, and the cell after the last. */
interface Runs {
  /** Where those of each feature begin, and at last where all of them end. */
  readonly starts: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly weights: Float64Array
}

function runsOf({ starts, places, weights }: Scope): Runs {
  const isNext = (e: number) => places[e] === places[e - 1]! + 1 && weights[e] === weights[e - 1]
  const begins: number[] = []
  const own = new Int32Array(starts.length)
  for (let i = 0; i + 1 < starts.length; i++) {
    for (let e = starts[i]!; e < starts[i + 1]!; e++) if (e === starts[i] || !isNext(e)) begins.push(e)
    own[i + 1] = begins.length
  }
  const ends = Int32Array.from(begins, (_, run) => (begins[run + 1] ?? places.length) - 1)
  return {
    starts: own,
    from: Int32Array.from(begins, (e) => places[e]!),
    to: ends.map((e) => places[e]! + 1),
    weights: Float64Array.from(begins, (e) => weights[e]!),
  }
}

/**
 * A range over two attributes has as many runs as it has codes of the first, and many more cells. Once all prefixes of a table are added up a
 * run takes two numbers, however long it is; the other way its two ends are marked, and the marks added up.
 */
const byRuns = ({ first, cells }: Scope, { starts, from, to, weights }: Runs): ScopeRows => {
  /** The sums of all cells before each, and last of all of them. */
  const before = new Float64Array(cells + 1)
  return {
    means(table, into) {
      for (let cell = 0; cell < cells; cell++) before[cell + 1] = before[cell]! + table[cell]!
      for (let i = 0; i + 1 < starts.length; i++) {
        let sum = 0
        for (let e = starts[i]!; e < starts[i + 1]!; e++) sum += weights[e]! * (before[to[e]!]! - before[from[e]!]!)
        into[first + i] = sum
      }
    },
    potential(w, table) {
      before.fill(0)
      for (let i = 0; i + 1 < starts.length; i++) {
        const by = w[first + i]!
        if (by === 0) continue
        for (let e = starts[i]!; e < starts[i + 1]!; e++) {
          before[from[e]!]! += by * weights[e]!
          before[to[e]!]! -= by * weights[e]!
        }
      }
      let sum = 0
      for (let cell = 0; cell < cells; cell++) {
        sum += before[cell]!
        table[cell] = sum
      }
    },
  }
}
