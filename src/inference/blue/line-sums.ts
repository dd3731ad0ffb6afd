import { type Factor, factorAt } from '../../query/index.ts'

/** shift + slope·code on the codes from … to. */
interface Line {
  readonly shift: number
  readonly slope: number
  readonly from: number
  readonly to: number
}

/** Factors that need no table: 1, a value or its square, on a range. */
type Formula = Extract<Factor, { readonly kind: 'interval' | 'value' }>

export const isFormula = (factor: Factor): factor is Formula => factor.kind === 'interval' || factor.kind === 'value'

/** Σ g·h over codes in closed form; undefined if there is none here, or if doubles might round. */
export function formulaSum(g: Factor, h: Factor): number | undefined {
  if (!isFormula(g) || !isFormula(h)) return undefined
  const [x, y] = [linesOf(g), linesOf(h)]
  const lines = [...x, ...y]
  return lines.length > 2 ? undefined : productSum(lines[0] ?? ones(g, h), lines[1] ?? ones(g, h), common(g, h))
}

/** Σ of products of steps at codes other than 0, likewise: along a range steps are a line again, and its ends are two more. */
export function formulaSteps(g: Factor, h: Factor, size: number): number | undefined {
  if (!isFormula(g) || !isFormula(h)) return undefined
  const [x, y] = [risesOf(g), risesOf(h)]
  let sum = productSum(x, y, common(x, y))
  if (sum === undefined) return undefined
  for (const code of new Set([g.from, g.to + 1, h.from, h.to + 1]))
    if (code > 0 && code < size) sum += formulaStep(g, code) * formulaStep(h, code)
  return Number.isSafeInteger(sum) ? sum : undefined
}

export const formulaStep = (factor: Formula, code: number): number =>
  factorAt(factor, code) - (code > 0 ? factorAt(factor, code - 1) : 0)

const common = (g: { from: number; to: number }, h: { from: number; to: number }) => ({
  from: Math.max(g.from, h.from),
  to: Math.min(g.to, h.to),
})

const ones = (g: Formula, h: Formula): Line => ({ shift: 1, slope: 0, ...common(g, h) })

/** A factor as a product of lines. */
const linesOf = (factor: Formula): readonly Line[] =>
  factor.kind === 'interval' ? [] : factor.power === 1 ? [factor] : [factor, factor]

/** What it rises by from the code before, within its range: (ac + b)² - (ac - a + b)² = 2a²·c + 2ab - a². */
function risesOf(factor: Formula): Line {
  const within = { from: factor.from + 1, to: factor.to }
  if (factor.kind === 'interval') return { shift: 0, slope: 0, ...within }
  const { slope: a, shift: b, power } = factor
  return power === 1 ? { shift: a, slope: 0, ...within } : { shift: 2 * a * b - a * a, slope: 2 * a * a, ...within }
}

/** Σ over codes of the product of two lines, counted from the first code on. */
function productSum(x: Line, y: Line, { from, to }: { from: number; to: number }): number | undefined {
  const count = to - from + 1
  if (count <= 0) return 0
  const [u, v] = [x.shift + x.slope * from, y.shift + y.slope * from]
  const pairs = (count * (count - 1)) / 2
  const squares = (count - 1) * count * (2 * count - 1)
  const parts = [count * u * v, (u * y.slope + x.slope * v) * pairs, x.slope * y.slope * (squares / 6)]
  const largest = Math.max(squares, Math.abs(u * y.slope), Math.abs(x.slope * v), ...parts.map(Math.abs))
  return largest < 2 ** 51 ? parts[0]! + parts[1]! + parts[2]! : undefined
}
