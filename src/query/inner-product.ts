import { toNumber } from '../numeric/index.ts'
import { attributeNamed, ReticentError, type Universe } from '../schema/index.ts'
import { factorMean, meanCost, nonZero } from './factor-mean.ts'
import { attributesOf, type LinearQuery, type Term } from './linear-query.ts'

/** Independent attributes: probabilities of the codes by attribute name; an attribute left out is uniform. */
export type ProductPrior = ReadonlyMap<string, Float64Array>

const uniform: ProductPrior = new Map()

/**
 * ⟨q1, q2⟩ = Σ over cells of p(cell)·q1(cell)·q2(cell), in the data's own units (steps included), for scalar queries.
 * p is the prior, 1/N on each of the universe's N cells unless given. So COUNT(*) has norm 1, and a bias/variance
 * parameter α that goes with this product is √N times the one that goes with the plain dot product (EDBT'12 §3.2).
 * The universe is never enumerated: time is that of the cheaper of Theorems 1 and 2.
 */
export function innerProduct(q1: LinearQuery, q2: LinearQuery, u: Universe, prior: ProductPrior = uniform): number {
  check(q1, q2, u, prior)
  const form = projectionIsCheaper(q1, q2, u, prior) ? projectionForm : productForm
  return form(q1, q2, u, prior) * toNumber(q1.step) * toNumber(q2.step)
}

function check(q1: LinearQuery, q2: LinearQuery, u: Universe, prior: ProductPrior): void {
  const invalid = (message: string) => new ReticentError('query-invalid', {}, { message })
  if (q1.by.length > 0 || q2.by.length > 0) throw invalid('an inner product needs queries without groups')
  for (const [name, law] of prior) {
    if (law.length !== attributeNamed(u, name).size) throw invalid(`the prior of ${name} needs one number per code`)
  }
}

/** Eq. 12 (with the prior, Eq. 20): a sum over pairs of terms of products of means over single attributes. In steps. */
export function productForm(q1: LinearQuery, q2: LinearQuery, u: Universe, prior: ProductPrior): number {
  let sum = 0
  for (const t1 of q1.terms) for (const t2 of q2.terms) sum += termProduct(t1, t2, u, prior)
  return sum
}

function termProduct(t1: Term, t2: Term, u: Universe, prior: ProductPrior): number {
  let product = t1.coefficient * t2.coefficient
  for (const name in t1.factors) {
    product *= factorMean(t1.factors[name]!, t2.factors[name], attributeNamed(u, name).size, prior.get(name))
    if (product === 0) return 0
  }
  for (const name in t2.factors) {
    if (t1.factors[name] === undefined)
      product *= factorMean(t2.factors[name]!, undefined, attributeNamed(u, name).size, prior.get(name))
  }
  return product
}

/**
 * Eq. 15: both queries as tables over the attributes that they share, what they do not share averaged out; then one dot
 * product. Terms are averaged one factor at a time, so that not even a query's own domain is enumerated. In steps.
 */
export function projectionForm(q1: LinearQuery, q2: LinearQuery, u: Universe, prior: ProductPrior): number {
  const shared = sharedAttributes(q1, q2, u)
  const w1 = projection(q1, shared, u, prior, prior)
  const w2 = projection(q2, shared, u, prior, uniform)
  let sum = 0
  for (let i = 0; i < w1.length; i++) sum += w1[i]! * w2[i]!
  return shared.reduce((s, name) => (prior.has(name) ? s : s / attributeNamed(u, name).size), sum)
}

const sharedAttributes = (q1: LinearQuery, q2: LinearQuery, u: Universe): string[] => {
  const other = new Set(attributesOf(q2, u))
  return attributesOf(q1, u).filter((name) => other.has(name))
}
const sharedCells = (shared: readonly string[], u: Universe) =>
  shared.reduce((cells, name) => cells * attributeNamed(u, name).size, 1)

/** E[w | the shared attributes] times the `weights` of their codes, the last attribute running fastest. */
function projection(
  q: LinearQuery,
  shared: readonly string[],
  u: Universe,
  prior: ProductPrior,
  weights: ProductPrior,
): Float64Array {
  const sum = new Float64Array(sharedCells(shared, u))
  for (const { coefficient, factors } of q.terms) {
    let cells = [0]
    let values = [coefficient]
    for (const name in factors) {
      if (shared.includes(name)) continue
      values[0]! *= factorMean(factors[name]!, undefined, attributeNamed(u, name).size, prior.get(name))
    }
    // Only the codes where a factor is not 0: a term of narrow sets touches few cells.
    for (const name of shared) {
      const { size } = attributeNamed(u, name)
      const { codes, at } = nonZero(factors[name], size)
      const law = weights.get(name)
      const spread = codes.map((code) => at(code) * (law ? law[code]! : 1))
      cells = cells.flatMap((cell) => codes.map((code) => cell * size + code))
      values = values.flatMap((value) => spread.map((s) => value * s))
    }
    cells.forEach((cell, i) => {
      sum[cell]! += values[i]!
    })
  }
  return sum
}

/** A query of one term meets the other's terms once in either form, and the product form has no table to fill. */
const projectionIsCheaper = (q1: LinearQuery, q2: LinearQuery, u: Universe, prior: ProductPrior): boolean =>
  Math.min(q1.terms.length, q2.terms.length) > 1 && projectionCost(q1, q2, u) < productCost(q1, q2, u, prior)

/** Theorem 1's count: every factor meets every term of the other query. */
function productCost(q1: LinearQuery, q2: LinearQuery, u: Universe, prior: ProductPrior): number {
  const visits = (q: LinearQuery) =>
    sumOver(q, ({ factors }) =>
      Object.entries(factors).reduce(
        (sum, [name, f]) => sum + meanCost(f, attributeNamed(u, name).size, prior.get(name)),
        1,
      ),
    )
  return q2.terms.length * visits(q1) + q1.terms.length * visits(q2)
}

/** A table with more cells (128 MB) is not worth its memory. */
const mostSharedCells = 2 ** 24

/** Theorem 2's count: every term meets the shared cells that it does not vanish on, once. */
function projectionCost(q1: LinearQuery, q2: LinearQuery, u: Universe): number {
  const shared = sharedAttributes(q1, q2, u)
  const cells = sharedCells(shared, u)
  if (cells > mostSharedCells) return Number.POSITIVE_INFINITY
  const touched = (q: LinearQuery) =>
    sumOver(q, ({ factors }) =>
      shared.reduce((count, name) => count * nonZero(factors[name], attributeNamed(u, name).size).count, 1),
    )
  return touched(q1) + touched(q2) + cells
}

const sumOver = (q: LinearQuery, cost: (term: LinearQuery['terms'][number]) => number): number =>
  q.terms.reduce((sum, term) => sum + cost(term), 0)
