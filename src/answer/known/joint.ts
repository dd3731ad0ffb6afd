import { posteriorByCharacteristic, varianceOfError } from '../../inference/index.ts'
import { fromNumber, multiply, type Rational, rational, toNumber } from '../../numeric/index.ts'
import { combine, type LinearQuery, type Measurement } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { confidenceOfEach } from '../column/interval.ts'
import type { Session } from '../session.ts'
import type { Known } from './known.ts'
import { noiseOf } from './known-part.ts'

/** Half the width of the interval that holds x·(one part's error) + y·(another's). */
type JointHalfWidth = (x: number, y: number) => number
/** How the errors of any two parts go together in a group. */
export type Joint = (parts: readonly [number, number], confidence: number) => (group: number) => JointHalfWidth
/** The same before it is interpolated. */
type Exact = (x: Rational, y: Rational) => number

/** Parts that were each measured once, for this: the same in every group. */
export const jointOfMeasurements =
  (parts: readonly Pick<Measurement, 'query' | 'law'>[]): Joint =>
  ([i, j], confidence) => {
    const noises = (x: number, y: number) => [...noiseOf(parts[i]!, x), ...noiseOf(parts[j]!, y)]
    const key = JSON.stringify([noises(1, 0), noises(0, 1), confidence])
    let table = tables.get(key)
    if (!table) {
      const exact: Exact = (x, y) => posteriorByCharacteristic(noises(toNumber(x), toNumber(y))).halfWidth(confidence)
      table = interpolated(exact, [varianceOfError(noises(1, 0)), varianceOfError(noises(0, 1))])
      if (tables.size < 100) tables.set(key, table)
    }
    const made = table
    return () => made
  }

/** Questions are asked at the same price again and again, and prices alone decide. */
const tables = new Map<string, JointHalfWidth>()

/**
 * Parts that the history tells: what it says about x·part + y·part in a group is a question like any other. Undefined
 * where the groups would be too many.
 */
export function jointFromHistory(parts: readonly LinearQuery[], knowledge: Session['knowledge']): Joint | undefined {
  if (!parts.every((query) => knowledge.isConsulted(query, askedOfGroup))) return undefined
  return ([i, j], confidence) => {
    const [first, second] = [parts[i]!, parts[j]!]
    const made = new Map<number, JointHalfWidth>()
    const isUniform = knowledge.isUniform(first) && knowledge.isUniform(second)
    return (group) => {
      const key = isUniform ? 0 : group
      const told = (query: LinearQuery) => knowledge.aboutGroup(query, key)
      const known = made.get(key) ?? halfWidthsIn(told, [first, second], confidence)
      made.set(key, known)
      return known
    }
  }
}

/** In one group, where `told` is what the history says of a query there. */
function halfWidthsIn(
  told: (query: LinearQuery) => Known | undefined,
  [first, second]: readonly [LinearQuery, LinearQuery],
  confidence: number,
): JointHalfWidth {
  const [a, b] = [told(first)!, told(second)!]
  const each = confidenceOfEach(confidence, 2)
  const exact: Exact = (x, y) => {
    const sum = sumOf(first, x, second, y)
    // What tells both parts tells their sum; where that cannot be proven, both intervals must hold at once.
    const known = sum && told(sum)
    if (known) return known.posterior().halfWidth(confidence)
    const widths = [a, b].map((part) => part.posterior().halfWidth(each)) as [number, number]
    return Math.abs(toNumber(x)) * widths[0] + Math.abs(toNumber(y)) * widths[1]
  }
  return interpolated(exact, [a.made.variance, b.made.variance])
}

/** x·first + y·second; undefined where they are so far apart that no query has such weights. */
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

/** Between so many directions half-widths are interpolated… */
const directions = 24
/** …and at most so much too wide: 1 / cos(π/48), and a little for the directions' few digits. */
export const interpolation = 1.0025

/**
 * Half-widths for every x and y from those of a few directions, never too small: half-widths of a given confidence are
 * a norm, and a norm lies below its chords. `variances` are the two errors' own, so that the directions are spread
 * evenly. Proof: docs/algorithms/ratios.md
 */
export function interpolated(exact: Exact, variances: readonly [number, number]): JointHalfWidth {
  const unit = (variance: number) => (variance > 0 ? Number((1 / Math.sqrt(variance)).toPrecision(3)) : 1)
  const [perX, perY] = [unit(variances[0]), unit(variances[1])]
  const knots: { x: number; y: number; halfWidth: number }[] = []
  // Only the directions that are wanted: a ratio's ends lie close together.
  const knot = (k: number) => {
    const known = knots[k]
    if (known) return known
    // The last direction is the first one turned round.
    const angle = (k * Math.PI) / directions
    const [x, y] = [shortened(Math.cos(angle), perX), shortened(Math.sin(angle), perY)]
    const made = { x: toNumber(x), y: toNumber(y), halfWidth: exact(x, y) }
    knots[k] = made
    return made
  }
  return (x, y) => {
    const angle = Math.atan2(y / perY, x / perX)
    const turned = angle < 0 ? angle + Math.PI : angle
    const k = Math.min(directions - 1, Math.floor((turned * directions) / Math.PI))
    const [u, v] = [knot(k), knot(k + 1)]
    const area = u.x * v.y - u.y * v.x
    const [a, b] = [(x * v.y - y * v.x) / area, (u.x * y - u.y * x) / area]
    return Math.abs(a) * u.halfWidth + Math.abs(b) * v.halfWidth
  }
}

/** A few digits only: queries have integer weights. */
const shortened = (part: number, unit: number): Rational =>
  multiply(rational(Math.round(part * 10_000), 10_000), fromNumber(unit))
