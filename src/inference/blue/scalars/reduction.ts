import type { Weights } from '../compile.ts'
import { gcd } from '../proof/fractions.ts'
import type { Corners, Listed, Sparse, Vector } from './corners.ts'
import type { Peeled } from './peel.ts'

/** question = Σ times·row + rest/den, in which `rest` has none of the rows' own corners: exactly. */
interface Reduction<Row> {
  readonly rows: readonly { readonly row: Row; readonly times: number }[]
  readonly rest: Vector
  readonly den: number
}

/** Takes peeled rows, in their order, out of a question; undefined where that needs integers beyond 2^53. */
export function reduce<Row extends Listed>(
  { weights, sparse }: Vector,
  peeled: readonly Peeled<Row>[],
  corners: Corners,
): Reduction<Row> | undefined {
  // What is left of den·question at corners, without the question itself where its corners are not listed.
  let left = new Map<number, number>()
  let shares = new Map<Row, number>()
  let den = 1
  sparse?.at.forEach((corner, k) => {
    left.set(corner, sparse.values[k]!)
  })
  for (const { row, corner, value } of peeled) {
    const has = (left.get(corner) ?? 0) + (sparse ? 0 : den * corners.valueAt(weights, corner))
    if (has === 0) continue
    if (!Number.isSafeInteger(has)) return undefined
    const factor = Math.abs(value) / gcd(has, value)
    if (factor > 1) [den, left, shares] = [den * factor, scaled(left, factor), scaled(shares, factor)]
    const share = (factor * has) / value
    shares.set(row, share)
    row.sparse.at.forEach((other, k) => {
      left.set(other, (left.get(other) ?? 0) - share * row.sparse.values[k]!)
    })
    if (![den, ...left.values(), ...shares.values()].every(Number.isSafeInteger)) return undefined
  }
  const rest = combined(weights, den, shares)
  if (!rest.terms.every(({ coefficient }) => Number.isSafeInteger(coefficient))) return undefined
  return {
    rows: Array.from(shares, ([row, share]) => ({ row, times: share / den })),
    rest: { weights: rest, sparse: sparse && listed(left) },
    den,
  }
}

const scaled = <Key>(map: ReadonlyMap<Key, number>, factor: number): Map<Key, number> =>
  new Map(Array.from(map, ([key, value]) => [key, factor * value]))

function listed(left: ReadonlyMap<number, number>): Sparse {
  const list = [...left].filter(([, value]) => value !== 0)
  return { at: Int32Array.from(list, ([corner]) => corner), values: Float64Array.from(list, ([, value]) => value) }
}

/** den·question less the rows' shares, as one query in the question's steps. */
function combined(question: Weights, den: number, shares: ReadonlyMap<Vector, number>): Weights {
  if (shares.size === 0) return question
  const times = ({ terms }: Weights, factor: number) =>
    terms.map((term) => ({ ...term, coefficient: factor * term.coefficient }))
  const rows = Array.from(shares, ([row, share]) => times(row.weights, -share))
  return { terms: [...times(question, den), ...rows.flat()], step: question.step }
}
