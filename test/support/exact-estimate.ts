/** A history in integers: answers y to the rows of H, whose noises have variances in a common unit. */
export interface ExactHistory {
  readonly rows: readonly (readonly bigint[])[]
  readonly answers: readonly bigint[]
  readonly variances: readonly bigint[]
  /** The sum over all cells, where it is known. */
  readonly total?: bigint | undefined
}

export interface ExactEstimate {
  readonly estimate: number
  /** In the unit of the variances. */
  readonly variance: number
  readonly coefficients: readonly number[]
}

/**
 * The best linear unbiased estimate without any rounding, the twin that decides how exact others are: N·z = q is solved in
 * integers, N = Hᵀ·S⁻¹·H; the estimate is zᵀHᵀS⁻¹y and its variance zᵀq. undefined where there is no solution.
 */
export function exactEstimate(history: ExactHistory, question: readonly bigint[]): ExactEstimate | undefined {
  const { rows, answers, question: q, known } = withoutTotal(history, question)
  const unit = history.variances.reduce((all, v) => (all * v) / gcd(all, v), 1n)
  const precisions = history.variances.map((v) => unit / v)
  const cells = q.map((_, i) => i)
  const sum = (term: (k: number) => bigint) => precisions.reduce((all, p, k) => all + p * term(k), 0n)
  const normal = cells.map((i) => cells.map((j) => sum((k) => rows[k]![i]! * rows[k]![j]!)))
  const right = cells.map((i) => sum((k) => rows[k]![i]! * answers[k]!))
  const solved = solve(normal, q)
  if (!solved) return undefined
  const { z, den } = solved
  const along = (x: readonly bigint[]) => z.reduce((all, value, i) => all + value * x[i]!, 0n)
  return {
    estimate: ratio(along(right) + known * den, den),
    variance: ratio(unit * along(q), den),
    coefficients: precisions.map((p, k) => ratio(p * along(rows[k]!), den)),
  }
}

/** Where the total is known the last cell is the total less all others. */
function withoutTotal({ rows, answers, total }: ExactHistory, question: readonly bigint[]) {
  if (total === undefined) return { rows, answers, question, known: 0n }
  const less = (row: readonly bigint[]) => row.slice(0, -1).map((value) => value - row.at(-1)!)
  return {
    rows: rows.map(less),
    answers: answers.map((y, k) => y - rows[k]!.at(-1)! * total),
    question: less(question),
    known: question.at(-1)! * total,
  }
}

/** Some z/den with matrix·z = den·q, by Bareiss' elimination without fractions; the matrix is symmetric. */
function solve(matrix: readonly (readonly bigint[])[], q: readonly bigint[]): { z: bigint[]; den: bigint } | undefined {
  const table = matrix.map((row, i) => [...row, q[i]!])
  const pivots: { row: bigint[]; column: number }[] = []
  const open = new Set(table)
  let den = 1n
  for (let column = 0; column < q.length; column++) {
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
  if ([...open].some((row) => row.at(-1) !== 0n)) return undefined
  const z = q.map(() => 0n)
  for (const { row, column } of pivots) z[column] = row.at(-1)!
  return { z, den }
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

/** The nearest double, or one next to it. */
function ratio(num: bigint, den: bigint): number {
  if (num < 0n !== den < 0n) return num === 0n ? 0 : -ratio(num < 0n ? -num : num, den < 0n ? -den : den)
  const [n, d] = [num < 0n ? -num : num, den < 0n ? -den : den]
  const shift = Math.max(0, 64 + d.toString(2).length - n.toString(2).length)
  return Number((n << BigInt(shift)) / d) / 2 ** shift
}
