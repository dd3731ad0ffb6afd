import { posteriorByCharacteristic, varianceOfError } from '../inference/index.ts'
import { fromNumber, multiply, one, type Rational, rational, toNumber, zero } from '../numeric/index.ts'
import { canonicalJson, combine, type LinearQuery, type Measurement, queryToJson } from '../query/index.ts'
import { confidenceOfEach } from './interval.ts'
import type { Knowledge, Known } from './knowledge.ts'
import { noiseOf } from './known-part.ts'

/** Half the width of the interval that holds x·(one part's error) + y·(another's). */
type JointHalfWidth = (x: number, y: number) => number
/** How the errors of any two parts go together in a group. */
export type Joint = (parts: readonly [number, number], confidence: number) => (group: number) => JointHalfWidth
/** The same before it is interpolated. */
type Exact = (x: Rational, y: Rational) => number

/** Parts that were each measured once, for this: the same in every group. */
export const independent =
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
 * Parts that the history tells: what it says about x·part + y·part is a question like any other. The directions that
 * are looked at are the same in all groups, so that each is one question with as many answers.
 */
export const together =
  (parts: readonly LinearQuery[], knowledge: Knowledge): Joint =>
  ([i, j], confidence) => {
    const asked = new Map<string, readonly Known[] | undefined>()
    const about = (x: Rational, y: Rational) => {
      const sum = combine([
        { query: parts[i]!, times: x },
        { query: parts[j]!, times: y },
      ])
      const text = canonicalJson(queryToJson(sum))
      if (!asked.has(text)) asked.set(text, knowledge.about(sum))
      return asked.get(text)
    }
    const [first, second] = [about(one, zero)!, about(zero, one)!]
    const each = confidenceOfEach(confidence, 2)
    const exact = (group: number) => (x: Rational, y: Rational) => {
      // What tells both parts tells their sum; where that cannot be proven, both intervals must hold at once.
      const known = about(x, y)
      if (known) return known[group]!.posterior().halfWidth(confidence)
      const [a, b] = [first, second].map((part) => part[group]!.posterior().halfWidth(each)) as [number, number]
      return Math.abs(toNumber(x)) * a + Math.abs(toNumber(y)) * b
    }
    return (group) => interpolated(exact(group), [first[0]!.made.variance, second[0]!.made.variance])
  }

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
