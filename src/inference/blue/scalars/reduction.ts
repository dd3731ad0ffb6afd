import type { Weights } from '../compile.ts'
import { gcd } from '../proof/fractions.ts'
import { type Corners, type Listed, type Sparse, sparseOf, type Vector } from './corners.ts'
import type { Peeled } from './peel.ts'

/** question = Σ times·row + rest/den, in which `rest` has none of the rows' own corners: exactly. */
export interface Reduction<Row> {
  readonly rows: readonly { readonly row: Row; readonly times: number }[]
  readonly rest: Vector
  readonly den: number
}

/** Takes peeled rows, in their order, out of a question; undefined where that needs integers beyond 2^53. */
export function reduce<Row extends Listed>(
  { weights, sparse }: Vector,
  { rows, corners: own }: Peeled<Row>,
  corners: Corners,
): Reduction<Row> | undefined {
  // What is left of den·question at corners, without the question itself where its corners are not listed.
  let left = new Map<number, number>()
  let shares = new Map<Row, number>()
  let den = 1
  sparse?.at.forEach((corner, k) => {
    left.set(corner, sparse.values[k]!)
  })
  for (let i = 0; i < rows.length; i++) {
    if (sparse) i = nextIn(left, own, i)
    if (i === rows.length) break
    const [row, corner] = [rows[i]!, own[i]!]
    const has = (left.get(corner) ?? 0) + (sparse ? 0 : den * corners.valueAt(weights, corner))
    if (has === 0) continue
    if (!Number.isSafeInteger(has)) return undefined
    const value = row.sparse.values[row.sparse.at.indexOf(corner)]!
    const factor = Math.abs(value) / gcd(has, value)
    if (factor > 1) {
      ;[den, left, shares] = [den * factor, scaled(left, factor), scaled(shares, factor)]
      if (![den, ...left.values(), ...shares.values()].every(Number.isSafeInteger)) return undefined
    }
    const share = (factor * has) / value
    if (!Number.isSafeInteger(share) || !takeOut(row.sparse, share, left)) return undefined
    shares.set(row, share)
  }
  const rest = combined(weights, den, shares)
  if (!rest.terms.every(({ coefficient }) => Number.isSafeInteger(coefficient))) return undefined
  return {
    rows: Array.from(shares, ([row, share]) => ({ row, times: share / den })),
    rest: { weights: rest, sparse: sparse && listed(left) },
    den,
  }
}

/** The first of the rows from number `from` on whose own corner is in `left`: of thousands only a few are, so the search is a loop by itself. */
function nextIn(left: ReadonlyMap<number, number>, own: Int32Array, from: number): number {
  let i = from
  while (i < own.length && !left.get(own[i]!)) i++
  return i
}

/** left - share·row; false where that leaves the safe integers. All else in `left` was looked at when it came to be. */
function takeOut({ at, values }: Sparse, share: number, left: Map<number, number>): boolean {
  for (let k = 0; k < at.length; k++) {
    const value = (left.get(at[k]!) ?? 0) - share * values[k]!
    if (!Number.isSafeInteger(value)) return false
    left.set(at[k]!, value)
  }
  return true
}

const scaled = <Key>(map: ReadonlyMap<Key, number>, factor: number): Map<Key, number> =>
  new Map(Array.from(map, ([key, value]) => [key, factor * value]))

function listed(left: Map<number, number>): Sparse {
  left.forEach((value, corner) => {
    if (value === 0) left.delete(corner)
  })
  return sparseOf(left)
}

/** den·question less the rows' shares, as one query in the question's steps. */
function combined(question: Weights, den: number, shares: ReadonlyMap<Vector, number>): Weights {
  if (shares.size === 0) return question
  const times = ({ terms }: Weights, factor: number) =>
    terms.map((term) => ({ ...term, coefficient: factor * term.coefficient }))
  const rows = Array.from(shares, ([row, share]) => times(row.weights, -share))
  return { terms: [...times(question, den), ...rows.flat()], step: question.step }
}
