import { add, gcd, multiply, one, type Rational, rational, zero } from '../numeric/index.ts'
import { problem } from '../schema/index.ts'
import { canonicalJson } from './json.ts'
import type { LinearQuery, Term } from './linear-query.ts'

const lcm = (a: bigint, b: bigint): bigint => (a / gcd(a, b)) * b

const invalid = (message: string) => problem('query-invalid', message)

/**
 * Σ times·query as one query on the coarsest common step: terms with equal factors are merged, what cancels is gone,
 * and the coefficients have no common divisor. All parts must have the same groups; no part at all is 0.
 */
export function combine(parts: readonly { query: LinearQuery; times: Rational }[]): LinearQuery {
  const by = parts[0]?.query.by ?? []
  const groups = canonicalJson(by)
  const merged = new Map<string, { weight: Rational; factors: Term['factors'] }>()
  for (const { query, times } of parts) {
    if (canonicalJson(query.by) !== groups) throw invalid('queries with different groups cannot be combined')
    for (const { coefficient, factors } of query.terms) {
      const key = canonicalJson(factors)
      const weight = multiply(multiply(times, query.step), rational(coefficient))
      merged.set(key, { factors, weight: add(merged.get(key)?.weight ?? zero, weight) })
    }
  }
  const left = [...merged.values()].filter(({ weight }) => weight.num !== 0n)
  if (left.length === 0) return { by, terms: [], step: one }

  // In lowest terms: gcd of the numerators over lcm of the denominators divides every weight, and nothing larger does.
  const step = rational(
    left.reduce((g, { weight }) => gcd(g, weight.num), 0n),
    left.reduce((m, { weight }) => lcm(m, weight.den), 1n),
  )
  const terms = left.map(({ weight, factors }) => {
    const coefficient = Number((weight.num * step.den) / (weight.den * step.num))
    if (!Number.isSafeInteger(coefficient)) throw invalid('the combined query needs coefficients beyond 2^53')
    return { coefficient, factors }
  })
  return { by, terms, step }
}
