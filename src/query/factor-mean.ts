import { type Factor, factorAt } from './linear-query.ts'

/** Probabilities of one attribute's codes; undefined is the uniform law. */
type CodeLaw = Float64Array | undefined

/**
 * E[f·g] over one attribute's codes; without g, E[f]. Free of loops for intervals and value functions under the
 * uniform law.
 */
export function factorMean(f: Factor, g: Factor | undefined, size: number, law: CodeLaw): number {
  if (g === undefined) return factorMean(f, { kind: 'interval', from: 0, to: size - 1 }, size, law)
  if (f.kind === 'set' || f.kind === 'table' || g.kind === 'set' || g.kind === 'table' || law) {
    return listedSum(f, g, size, law) / (law ? 1 : size)
  }
  return rangeSum(f, g) / size
}

/** How many codes factorMean visits for this factor against any other, at most. */
export function meanCost(f: Factor, size: number, law: CodeLaw): number {
  if (f.kind === 'set') return f.codes.length
  if (f.kind === 'table') return size
  return law ? f.to - f.from + 1 : 1
}

/** The codes outside of which a factor is certainly 0; without a factor, all of them. */
export function nonZero(f: Factor | undefined, size: number) {
  const from = f && 'from' in f ? f.from : 0
  const count = f?.kind === 'set' ? f.codes.length : (f && 'to' in f ? f.to : size - 1) - from + 1
  return {
    count,
    get codes() {
      return f?.kind === 'set' ? f.codes : Array.from({ length: count }, (_, i) => from + i)
    },
    at: (code: number) => (f === undefined || f.kind === 'set' ? 1 : factorAt(f, code)),
  }
}

type Range = Extract<Factor, { kind: 'interval' | 'value' }>

/**
 * Σ f·g over the codes where both are: powers of a linear function there. Around the middle of that range, odd moments
 * vanish and the even ones are known: Σx² = n(n²-1)/12, Σx⁴ = n(n²-1)(3n²-7)/240.
 */
function rangeSum(f: Range, g: Range): number {
  const from = Math.max(f.from, g.from)
  const to = Math.min(f.to, g.to)
  if (from > to) return 0
  const n = to - from + 1
  const middle = (from + to) / 2
  const [a, b, c] = around(f, middle)
  const [d, e, h] = around(g, middle)
  const squares = (n * (n * n - 1)) / 12
  const fourths = (n * (n * n - 1) * (3 * n * n - 7)) / 240
  return a * d * n + (a * h + b * e + c * d) * squares + c * h * fourths
}

/** The factor as c₀ + c₁x + c₂x², x the distance from the middle. */
function around(f: Range, middle: number): readonly [number, number, number] {
  if (f.kind === 'interval') return [1, 0, 0]
  const value = f.slope * middle + f.shift
  return f.power === 1 ? [value, f.slope, 0] : [value * value, 2 * value * f.slope, f.slope * f.slope]
}

/** Σ law·f·g (Σ f·g without a law), visiting the shorter list of codes. */
function listedSum(f: Factor, g: Factor, size: number, law: CodeLaw): number {
  if (g.kind === 'set' && (f.kind !== 'set' || f.codes.length > g.codes.length)) return listedSum(g, f, size, law)
  const at = g.kind === 'set' ? memberOf(g.codes) : (code: number) => factorAt(g, code)
  let sum = 0
  if (f.kind === 'set') {
    for (const code of f.codes) sum += at(code) * (law ? law[code]! : 1)
    return sum
  }
  const [from, to] = overlap(f, g, size)
  for (let code = from; code <= to; code++) sum += factorAt(f, code) * at(code) * (law ? law[code]! : 1)
  return sum
}

function overlap(f: Factor, g: Factor, size: number): [number, number] {
  const first = (x: Factor) => ('from' in x ? x.from : 0)
  const last = (x: Factor) => ('to' in x ? x.to : size - 1)
  return [Math.max(first(f), first(g)), Math.min(last(f), last(g))]
}

function memberOf(codes: readonly number[]): (code: number) => number {
  const members = new Set(codes)
  return (code) => (members.has(code) ? 1 : 0)
}
