import { errorLawByCharacteristic, type Term, termsOfSum, varianceOfError } from '../../inference/index.ts'
import { fromNumber, multiply, type Rational, rational, toNumber } from '../../numeric/index.ts'
import { combine, type LinearQuery, type Measurement } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { confidenceOfEach } from '../column/interval.ts'
import type { Session } from '../session.ts'
import { coupling, surer, unevenness } from './discreteness.ts'
import type { Known } from './known.ts'
import { noiseOf } from './known-part.ts'
import type { Between, Direction, JointBound, Sector } from './sectors.ts'
import { boundOfTwoNoises, type DrawnTerm, stepsBeyond } from './two-noises.ts'

/** How the errors of any two parts go together in a group. */
export type Joint = (parts: readonly [number, number], confidence: number) => (group: number) => JointBound
/** A bound of x·(one part's error) + y·(another's). */
type Exact = (x: Rational, y: Rational) => number

/** Parts that were each measured for this, or told by earlier answers that have no noise in common with the others. */
export const jointOfParts =
  (parts: readonly (Pick<Measurement, 'query' | 'law'> | readonly Known[])[]): Joint =>
  ([i, j], confidence) => {
    const pair = [parts[i]!, parts[j]!] as const
    const termsIn = (part: (typeof parts)[number], group: number) =>
      'query' in part ? noiseOf(part) : part[group]!.made.coefficients
    const boundOf = (group: number) => boundOfTerms([termsIn(pair[0], group), termsIn(pair[1], group)], confidence)
    if (!pair.every((part) => 'query' in part)) return boundOf
    const everywhere = boundOf(0)
    return () => everywhere
  }

/** Of two parts whose noises are independent. */
export function boundOfTerms(terms: readonly [readonly Term[], readonly Term[]], confidence: number): JointBound {
  const count = (of: readonly Term[]) => of.reduce((sum, term) => sum + term.count, 0)
  if (terms.every((of) => count(of) <= 1)) return boundOfNoises(terms, confidence)
  const areMany = count(terms[0]) + count(terms[1]) > fewNoises
  const times = (of: readonly Term[], by: number) => of.map((term) => ({ ...term, coefficient: term.coefficient * by }))
  const exact: Exact = (x, y) => {
    const made = [...times(terms[0], toNumber(x)), ...times(terms[1], toNumber(y))]
    const width = errorLawByCharacteristic(made).halfWidth(areMany ? surer(confidence) : confidence)
    return width + 2 * (areMany ? unevenness(made, confidence) : coupling(made))
  }
  const alone = (of: readonly Term[]) => errorLawByCharacteristic(of).halfWidth(confidenceOfEach(confidence, 2))
  return interpolated(exact, {
    variances: { x: varianceOfError(terms[0]), y: varianceOfError(terms[1]) },
    box: { x: alone(terms[0]), y: alone(terms[1]) },
  })
}

/** At most so many steps of the smaller noise are added up one by one. */
const fewSteps = 1000
/** Questions are asked at the same price again and again, and prices alone decide. */
const bounds = new Map<string, JointBound>()

/** Of two parts, each with a noise of its own or none. */
export function boundOfNoises(noises: readonly [readonly Term[], readonly Term[]], confidence: number): JointBound {
  const key = JSON.stringify([noises, confidence])
  const known = bounds.get(key)
  if (known) return known
  const [one, other] = noises.map(([term]) => (term && varianceOfError([term]) > 0 ? term : undefined))
  const steps = stepsBeyond(confidence)
  const areFew = (a: Term, b: Term): boolean =>
    isDrawn(a) && isDrawn(b) && Math.min(steps(a.law), steps(b.law)) <= fewSteps
  const made =
    one && other && areFew(one, other)
      ? boundOfTwoNoises([one, other] as [DrawnTerm, DrawnTerm], confidence)
      : boundOfWideNoises([one, other], confidence)
  if (bounds.size < 100) bounds.set(key, made)
  return made
}

const isDrawn = (term: Term): term is DrawnTerm => term.law.kind !== 'continuous-laplace'

/** Of noises of many steps, whose laws are nearly those of norms; or of one alone, whose half-widths are. */
function boundOfWideNoises(pair: readonly (Term | undefined)[], confidence: number): JointBound {
  const terms = (x: number, y: number) =>
    pair.flatMap((term, i) => (term ? [{ ...term, coefficient: term.coefficient * (i === 0 ? x : y) }] : []))
  const isAlone = pair.includes(undefined)
  const exact: Exact = (x, y) => {
    const made = terms(toNumber(x), toNumber(y))
    return errorLawByCharacteristic(made).halfWidth(confidence) + (isAlone ? 0 : 2 * coupling(made))
  }
  const alone = (of: readonly Term[]) => errorLawByCharacteristic(of).halfWidth(confidenceOfEach(confidence, 2))
  const [one, other] = [terms(1, 0), terms(0, 1)]
  return interpolated(exact, {
    variances: { x: varianceOfError(one), y: varianceOfError(other) },
    box: { x: alone(one), y: alone(other) },
  })
}

/**
 * Parts that the history tells: what it says about x·part + y·part in a group is a question like any other. Undefined
 * where the groups would be too many.
 */
export function jointFromHistory(parts: readonly LinearQuery[], knowledge: Session['knowledge']): Joint | undefined {
  if (!parts.every((query) => knowledge.isConsulted(query, askedOfGroup))) return undefined
  return ([i, j], confidence) => {
    const [first, second] = [parts[i]!, parts[j]!]
    const made = new Map<number, JointBound>()
    const isUniform = knowledge.isUniform(first) && knowledge.isUniform(second)
    return (group) => {
      const key = isUniform ? 0 : group
      const told = (query: LinearQuery) => knowledge.aboutGroup(query, key)
      const known = made.get(key) ?? boundIn(told, [first, second], confidence)
      made.set(key, known)
      return known
    }
  }
}

/** In one group, where `told` is what the history says of a query there. */
function boundIn(
  told: (query: LinearQuery) => Known | undefined,
  [first, second]: readonly [LinearQuery, LinearQuery],
  confidence: number,
): JointBound {
  const [a, b] = [told(first)!, told(second)!]
  const variances = { x: a.made.variance, y: b.made.variance }
  const own = (sure: number, halfWidth: (of: Known, sure: number) => number): Direction => ({
    x: halfWidth(a, sure),
    y: halfWidth(b, sure),
  })
  // Half-widths of one error alone are a norm.
  if (variances.x === 0 || variances.y === 0) {
    const widths = own(confidence, plain)
    return interpolated((x, y) => sumOfBoth(widths, x, y), { variances, box: widths })
  }
  if (areApart(a, b)) return boundOfNoises([a.made.coefficients, b.made.coefficients], confidence)
  const areMany = noisesIn(a) + noisesIn(b) > fewNoises
  const steps = (terms: readonly Term[]) => 2 * (areMany ? unevenness(terms, confidence) : coupling(terms))
  const padded = ({ made, ...known }: Known, own: number) => known.errorLaw().halfWidth(own) + steps(made.coefficients)
  const sure = areMany ? surer(confidence) : confidence
  const exact: Exact = (x, y) => {
    const times = [toNumber(x), toNumber(y)] as const
    const terms = termsOfSum([a.made, times[0]], [b.made, times[1]])
    if (terms) {
      const rounding = Math.abs(times[0]) * a.made.rounding.estimate + Math.abs(times[1]) * b.made.rounding.estimate
      return errorLawByCharacteristic(terms, { rounding }).halfWidth(sure) + steps(terms)
    }
    const sum = sumOf(first, x, second, y)
    // What tells both parts tells their sum; where that cannot be proven, or other answers tell it, both intervals must hold at once.
    const known = sum && told(sum)
    return known && isSumOf(known, [a, times[0]], [b, times[1]])
      ? padded(known, sure)
      : sumOfBoth(own(confidenceOfEach(sure, 2), padded), x, y)
  }
  return interpolated(exact, { variances, box: own(confidenceOfEach(confidence, 2), plain) })
}

/**
 * Whether a sum is told by the very estimates of its parts. Of a long history, or one that doubles cannot hold as a whole, each may be
 * told by other answers; the law of the sum's error is then not that of what the parts' estimates add up to.
 */
function isSumOf(sum: Known, ...parts: readonly (readonly [Known, number])[]): boolean {
  const added = parts.map(([{ estimate }, times]) => times * estimate)
  const rounding = parts.map(([{ made }, times]) => Math.abs(times) * made.rounding.estimate)
  const total = (of: readonly number[]) => of.reduce((all, one) => all + Math.abs(one), 0)
  const near = 1e-6 * Math.sqrt(sum.made.variance) + 1e-12 * total(added) + sum.made.rounding.estimate + total(rounding)
  return Math.abs(sum.estimate - added.reduce((all, one) => all + one, 0)) <= near
}

/** Up to so many noises steps are reckoned with one by one: that is narrower. */
const fewNoises = 8
const noisesIn = ({ made }: Known): number => made.coefficients.reduce((sum, { count }) => sum + count, 0)

const plain = (of: Known, sure: number): number => of.errorLaw().halfWidth(sure)
const sumOfBoth = (widths: Direction, x: Rational, y: Rational): number =>
  Math.abs(toNumber(x)) * widths.x + Math.abs(toNumber(y)) * widths.y

/** Whether each was told by one noise of its own, with nothing that rounding could have moved. */
function areApart(a: Known, b: Known): boolean {
  const isOne = ({ made: { coefficients, sources, rounding, variance } }: Known) =>
    coefficients.length === 1 &&
    coefficients[0]!.count === 1 &&
    sources.length === 1 &&
    rounding.estimate <= 1e-9 * Math.sqrt(variance)
  return isOne(a) && isOne(b) && a.made.sources[0]!.id !== b.made.sources[0]!.id
}

/** x·first + y·second; undefined if they are so far apart that no query has such weights. */
function sumOf(first: LinearQuery, x: Rational, second: LinearQuery, y: Rational): LinearQuery | undefined {
  try {
    return combine([
      { query: first, times: x },
      { query: second, times: y },
    ])
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'query-invalid') return undefined
    throw error
  }
}

/** A ratio's ends take about so many directions. */
const askedOfGroup = 6
/** Between so many directions bounds are interpolated: at most 1 / cos(π/48) = 1.0021 times too wide. */
const directions = 24

/**
 * A bound for every x and y from a norm's values in a few directions, never too small: a norm lies below its chords.
 * `variances` are the two errors' own, so that the directions are spread evenly. Proof: docs/algorithms/ratios.md
 */
export function interpolated(exact: Exact, { variances, box }: { variances: Direction; box: Direction }): JointBound {
  const unit = (variance: number) => (variance > 0 ? Number((1 / Math.sqrt(variance)).toPrecision(3)) : 1)
  const units = { x: unit(variances.x), y: unit(variances.y) }
  const direction = (k: number) => {
    // The last direction is the first one turned round.
    const angle = (k * Math.PI) / directions
    return { x: shortened(Math.cos(angle), units.x), y: shortened(Math.sin(angle), units.y) }
  }
  const between = (k: number): Between => {
    const [from, to] = [direction(k), direction(k + 1)].map(({ x, y }) => ({ x: toNumber(x), y: toNumber(y) }))
    return { from: from!, to: to! }
  }
  // Only those that are wanted: a ratio's ends lie close together.
  const knots: number[] = []
  const knot = (k: number) => {
    const { x, y } = direction(k)
    knots[k] ??= exact(x, y)
    return knots[k]
  }
  const sector = (k: number): Sector => ({ ...between(k), atFrom: knot(k), atTo: knot(k + 1) })
  // A norm is largest at an end.
  const isWithin = () => true
  return { sectors: directions, units, directions: between, sector, isWithin, box }
}

/** A few digits only: queries have integer weights. */
const shortened = (part: number, unit: number): Rational =>
  multiply(rational(Math.round(part * 10_000), 10_000), fromNumber(unit))
