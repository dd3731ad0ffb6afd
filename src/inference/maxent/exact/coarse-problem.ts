import { strides } from '../../../numeric/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import type { MaxentProblem } from '../problem.ts'
import type { Scope } from '../scope.ts'

/** Codes of an attribute that no feature tells apart are one class. */
interface Classes {
  readonly count: number
  /** Of every code. */
  readonly of: Int32Array
  /** Of every class its first code. */
  readonly first: Int32Array
}

/**
 * The same problem over classes of codes that no feature tells apart: the same weights have the same means and the same ln Z. A
 * question about amounts above 5,000 tells two classes of 100,001 codes apart.
 */
export function coarseProblem(problem: MaxentProblem): MaxentProblem {
  const { attributes } = problem.universe
  const sizes = attributes.map(({ size }) => size)
  const classes = sizes.map((size, a) => classesOf(problem.scopes, a, size, sizes))
  if (classes.every(({ count }, a) => count === sizes[a])) return problem
  const coarse = attributes.map(({ name }, a) =>
    attribute({ kind: 'integer', name, low: 0, high: classes[a]!.count - 1, closed: true }),
  )
  return {
    ...problem,
    universe: universe(coarse),
    prior: problem.prior.map((shares, a) => sums(shares, classes[a]!)),
    scopes: problem.scopes.map((scope) => coarseScope(scope, classes, sizes)),
  }
}

function sums(shares: Float64Array, { count, of }: Classes): Float64Array {
  const totals = new Float64Array(count)
  for (let code = 0; code < shares.length; code++) totals[of[code]!]! += shares[code]!
  return totals
}

/** By what every scope has at a code, features and other attributes' codes in the same order; scope by scope, until all codes are apart. */
function classesOf(scopes: readonly Scope[], a: number, size: number, sizes: readonly number[]): Classes {
  let classes = numbered(new Array<number>(size).fill(0))
  for (const scope of scopes) {
    if (classes.count === size) break
    if (!scope.attributes.includes(a)) continue
    const { of } = classes
    classes = numbered(entriesAt(scope, a, size, sizes).map((entries, code) => `${of[code]!}|${entries.join()}`))
  }
  return classes
}

/** Codes with the same key are one class. */
function numbered(keys: readonly (number | string)[]): Classes {
  const numbers = new Map<number | string, number>()
  const of = new Int32Array(keys.length)
  const first: number[] = []
  for (const [code, key] of keys.entries()) {
    if (!numbers.has(key)) {
      numbers.set(key, numbers.size)
      first.push(code)
    }
    of[code] = numbers.get(key)!
  }
  return { count: first.length, of, first: Int32Array.from(first) }
}

/** For every code of one attribute: feature, cell of the other attributes, and weight of each entry there. */
function entriesAt({ attributes, starts, places, weights }: Scope, a: number, size: number, sizes: readonly number[]) {
  const step = strides(attributes.map((b) => sizes[b]!))[attributes.indexOf(a)]!
  const found = Array.from({ length: size }, (): number[] => [])
  for (let i = 0; i + 1 < starts.length; i++)
    for (let e = starts[i]!; e < starts[i + 1]!; e++) {
      const code = Math.floor(places[e]! / step) % size
      found[code]!.push(i, places[e]! - code * step, weights[e]!)
    }
  return found
}

/** Of the entries, those at the first codes of all classes. */
function coarseScope(scope: Scope, classes: readonly Classes[], sizes: readonly number[]): Scope {
  const { attributes } = scope
  const fine = strides(attributes.map((a) => sizes[a]!))
  const coarse = strides(attributes.map((a) => classes[a]!.count))
  const starts = [0]
  const places: number[] = []
  const weights: number[] = []
  for (let i = 0; i + 1 < scope.starts.length; i++) {
    for (let e = scope.starts[i]!; e < scope.starts[i + 1]!; e++) {
      let [place, isFirst] = [0, true]
      for (const [axis, a] of attributes.entries()) {
        const code = Math.floor(scope.places[e]! / fine[axis]!) % sizes[a]!
        const { of, first } = classes[a]!
        isFirst &&= first[of[code]!] === code
        place += of[code]! * coarse[axis]!
      }
      if (!isFirst) continue
      places.push(place)
      weights.push(scope.weights[e]!)
    }
    starts.push(places.length)
  }
  return {
    attributes,
    cells: attributes.reduce((cells, a) => cells * classes[a]!.count, 1),
    first: scope.first,
    starts: Int32Array.from(starts),
    places: Int32Array.from(places),
    weights: Float64Array.from(weights),
  }
}
