import { evaluate, type Measurement } from '../../query/index.ts'
import { zeroSpending } from '../../trusted/accounting/index.ts'
import { boundsIn } from '../column/columns.ts'
import { estimate } from '../column/silence.ts'
import type { Material } from '../compose.ts'
import { type Joint, jointFromHistory, jointOfParts } from '../known/joint.ts'
import type { Known } from '../known/known.ts'
import { fromHistory, fromMeasurement } from '../known/known-part.ts'
import { reportOf } from '../price/part-report.ts'
import { ownAnswer } from '../price/same-query.ts'
import type { RatioContext } from './context.ts'
import type { Sizes } from './sizes.ts'

/** Whether the history says nothing, too little by far, or not quite enough. */
export type Told = 'silent' | 'hopeless' | 'close'

/**
 * The history's answer if it is precise enough, from all earlier answers or from the least noisy one of each part alone; otherwise
 * how far it is from that.
 */
export function fromEarlier(context: RatioContext, sizes: Sizes): Material | Told {
  const { statement, session, doubt, needs } = context
  const queries = statement.parts
  const known = queries.map((_, part) => sizes.known(part))
  if (!areAll(known)) return 'silent'
  const isTold = needs.parts.every(
    (need, i) => need === Infinity || known[i]!.every((k) => k.errorLaw().halfWidth(1 - doubt.other) <= need),
  )
  const isExact = needs.ratios.every(({ ratio }) => known[ratio.denominator.part]!.every(isPublicNumber))
  const ratioConfidence = 1 - (isExact ? doubt.other : doubt.history)
  const reports = queries.map((query) => reportOf({ query, choice: { kind: 'free', known: [] } }, session.book))
  const made = (of: readonly (readonly Known[])[], joint: Joint | undefined): Material => ({
    kind: 'free',
    parts: of.map((cells) => fromHistory(cells)),
    reports,
    joint,
    ratioConfidence,
  })
  const all = made(known, jointFromHistory(queries, session.knowledge))
  if (isTold && isEnough(all, context, sizes)) return all
  const own = queries.map(
    (query, i) => ownAnswer(query, session.book) ?? (known[i]!.every(isPublicNumber) ? known[i] : undefined),
  )
  if (isTold && areAll(own)) {
    const alone = made(own, jointOfParts(own))
    if (isEnough(alone, context, sizes)) return alone
  }
  return isHopeless(all, context, known) ? 'hopeless' : 'close'
}

const areAll = <T>(of: readonly (T | undefined)[]): of is readonly T[] => of.every((one) => one !== undefined)
const isPublicNumber = ({ made }: Known): boolean => made.variance === 0

/** Whether the intervals of all ratios over more than the floor are as narrow as requested. */
export const isEnough = (material: Material, context: RatioContext, sizes: Sizes): boolean =>
  worstWidth(material, context, sizes) <= 1

/** The width of the widest of them, as a multiple of the requested one. */
export function worstWidth(material: Material, context: RatioContext, sizes: Sizes): number {
  const all = context.needs.ratios.flatMap((goal, i) => {
    const needed = sizes.needed(goal)
    return widths(material, context, i).filter((_, group) => needed[group])
  })
  return all.reduce((worst, within) => Math.max(worst, within / context.wanted.within), 0)
}

/** The answer that one measurement per part makes. */
export function materialOf(
  { statement }: RatioContext,
  measured: (part: number) => Measurement,
  ratioConfidence: number,
): Material {
  const measurements = statement.parts.map((_, part) => measured(part))
  const parts = measurements.map((measurement) => fromMeasurement(measurement, zeroSpending))
  return { kind: 'fresh', parts, reports: [], joint: jointOfParts(measurements), ratioConfidence }
}

function widths({ parts, joint, ratioConfidence }: Material, { needs, doubt }: RatioContext, goal: number): number[] {
  const { expression } = needs.ratios[goal]!
  const bounds = boundsIn(expression, parts, { confidence: 1 - doubt.other, joint, ratioConfidence })
  return Array.from(parts[0]!.values, (_, group) => {
    const values = parts.map((part) => part.values[group]!)
    return estimate(evaluate(expression, values), bounds(group)).within ?? Infinity
  })
}

/**
 * Whether no noise could have made the history's intervals as narrow as requested, except with the doubt that is set aside: a
 * width depends on the denominator's estimate, and hardly on anything else. Proof: docs/algorithms/ratios.md
 */
function isHopeless(material: Material, context: RatioContext, known: readonly (readonly Known[])[]): boolean {
  const { needs, wanted, doubt } = context
  return needs.ratios.some(({ ratio: { denominator } }, i) =>
    widths(material, context, i).every((within, group) => {
      const { estimate: middle, errorLaw } = known[denominator.part]![group]!
      const off = Math.abs(denominator.times) * errorLaw().halfWidth(1 - doubt.hopeless)
      const share = off / Math.abs(denominator.times * middle + denominator.offset)
      return within > wanted.within * (1 + 2 * share) * (1 + 5 * share)
    }),
  )
}
