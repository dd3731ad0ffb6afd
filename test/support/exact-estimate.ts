import { gcd } from '../../src/numeric/index.ts'

/** A history in integers: answers y to the rows of H, whose noises have variances in a common unit. */
interface ExactHistory {
  readonly rows: readonly (readonly bigint[])[]
  readonly answers: readonly bigint[]
  readonly variances: readonly bigint[]
  /** The sum over all cells, where it is known. */
  readonly total?: bigint | undefined
}

interface ExactEstimate {
  readonly estimate: number
  /** In the unit of the variances. */
  readonly variance: number
  readonly coefficients: readonly number[]
}

/**
 * Best linear unbiased estimates without any rounding, the twin that tells how exact others are: N·z = q is solved in
 * integers, N = Hᵀ·S⁻¹·H; the estimate is zᵀHᵀS⁻¹y and its variance zᵀq. undefined where there is no solution.
 */
export function exactEstimates(
  history: ExactHistory,
  questions: readonly (readonly bigint[])[],
): (ExactEstimate | undefined)[] {
  const { total } = history
  // Where the total is known the last cell is the total less all others.
  const known = (row: readonly bigint[]) => (total === undefined ? 0n : row.at(-1)! * total)
  const unknown = (row: readonly bigint[]) =>
    total === undefined ? row : row.slice(0, -1).map((value) => value - row.at(-1)!)
  const rows = history.rows.map(unknown)
  const answers = history.answers.map((y, k) => y - known(history.rows[k]!))
  const unit = history.variances.reduce((all, v) => (all * v) / gcd(all, v), 1n)
  const precisions = history.variances.map((v) => unit / v)
  const sum = (term: (k: number) => bigint) => precisions.reduce((all, p, k) => all + p * term(k), 0n)
  const cells = [...unknown(questions[0]!).keys()]
  const normal = cells.map((i) => cells.map((j) => sum((k) => rows[k]![i]! * rows[k]![j]!)))
  const right = cells.map((i) => sum((k) => rows[k]![i]! * answers[k]!))
  const { solutions, den } = solve(normal, questions.map(unknown))
  return solutions.map((z, n) => {
    if (!z) return undefined
    const along = (x: readonly bigint[]) => z.reduce((all, value, i) => all + value * x[i]!, 0n)
    return {
      estimate: ratio(along(right) + known(questions[n]!) * den, den),
      variance: ratio(unit * along(unknown(questions[n]!)), den),
      coefficients: precisions.map((p, k) => ratio(p * along(rows[k]!), den)),
    }
  })
}

/** Some z with matrix·z = den·q for every q, where there is one, by Bareiss' elimination without fractions. */
function solve(matrix: readonly (readonly bigint[])[], list: readonly (readonly bigint[])[]) {
  const table = matrix.map((row, i) => [...row, ...list.map((q) => q[i]!)])
  const pivots: { readonly row: bigint[]; readonly column: number }[] = []
  const open = new Set(table)
  let den = 1n
  for (let column = 0; column < matrix.length; column++) {
    const row = [...open].find((candidate) => candidate[column] !== 0n)
    if (!row) continue
    open.delete(row)
    const pivot = row[column]!
    for (const other of table)
      if (other !== row) {
        const times = other[column]!
        for (let j = 0; j < other.length; j++) other[j] = (other[j]! * pivot - times * row[j]!) / den
      }
    den = pivot
    pivots.push({ row, column })
  }
  const solutions = list.map((_, n) => {
    const at = matrix.length + n
    if ([...open].some((row) => row[at] !== 0n)) return undefined
    const z = matrix.map(() => 0n)
    for (const { row, column } of pivots) z[column] = row[at]!
    return z
  })
  return { solutions, den }
}

/** The nearest double, or one next to it. */
function ratio(num: bigint, den: bigint): number {
  if (num < 0n !== den < 0n) return num === 0n ? 0 : -ratio(num < 0n ? -num : num, den < 0n ? -den : den)
  const [n, d] = [num < 0n ? -num : num, den < 0n ? -den : den]
  const shift = Math.max(0, 64 + d.toString(2).length - n.toString(2).length)
  return Number((n << BigInt(shift)) / d) / 2 ** shift
}
