import type { AskOptions, Dataset } from '../../index.ts'
import { ReticentError, stopIfAborted } from '../../schema/index.ts'
import type { Curve, CurvePoint, CurveRequest } from '../api/index.ts'
import type { Surroundings } from '../threads/surroundings.ts'

type Common = Pick<AskOptions, 'confidence' | 'allWithin' | 'always' | 'as' | 'signal'>

/**
 * The price of a question at several precisions: from where everything is free, halving the width until the budget does not allow it,
 * then between the points that there are. Buys nothing.
 */
export async function curveOf(
  { sql, points: wanted = 12, ...asked }: CurveRequest,
  { data, signal }: Pick<Surroundings, 'data' | 'signal'>,
): Promise<Curve> {
  const common: Common = { ...asked, signal }
  const freeWithin = await widthForFree(data, sql, common)
  const points = new Map<number, CurvePoint>()
  let left = (await data.budget()).left
  const at = async (within: number): Promise<CurvePoint> => {
    await new Promise((resolve) => setImmediate(resolve))
    stopIfAborted(signal)
    const known = points.get(within)
    if (known) return known
    const plan = await data.plan(sql, { ...common, within })
    left = plan.left
    const point = { within, epsilon: plan.cost.epsilon, kind: plan.kind, affordable: plan.affordable }
    points.set(within, point)
    return point
  }
  const start = freeWithin === null ? await cheapWidth(data, sql, common, at) : rounded(freeWithin, Math.ceil)
  // What the search for a start has passed by is of no interest.
  for (const within of points.keys()) if (within > start) points.delete(within)
  if (start > 0) {
    await halve(start, wanted, at)
    await fill(points, wanted, at)
  }
  const sorted = [...points.values()].sort((a, b) => a.within - b.within)
  return { query: sql, confidence: asked.confidence ?? 0.95, points: sorted, freeWithin, left }
}

/** The half-width that earlier answers have; null where they do not tell. */
async function widthForFree(data: Dataset, sql: string, common: Common): Promise<number | null> {
  try {
    const answer = await data.ask(sql, { ...common, free: true })
    const columns = 'answers' in answer ? answer.answers : [answer]
    const widths = columns.flatMap((c) => ('groups' in c ? c.groups.map(({ within }) => within) : [c.within]))
    return widths.every((width) => width !== null) ? Math.max(0, ...widths) : null
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'not-estimable') return null
    throw error
  }
}

/** Where nothing is known: a width that costs about a hundredth of the budget. */
async function cheapWidth(
  data: Dataset,
  sql: string,
  common: Common,
  at: (within: number) => Promise<CurvePoint>,
): Promise<number> {
  const { cap } = await data.budget()
  const plan = await data.plan(sql, { ...common, epsilon: cap.epsilon / 100 })
  let within = rounded(Math.max(...plan.parts.map((part) => part.within), 1e-6), Math.ceil)
  // The parts of a ratio are not as wide as the ratio: look for it, by factors of four.
  for (let i = 0; i < 24; i++) {
    const { epsilon } = await at(within)
    if (epsilon >= cap.epsilon / 400) return within
    within = rounded(within / 4, Math.round)
  }
  return within
}

async function halve(start: number, wanted: number, at: (within: number) => Promise<CurvePoint>): Promise<void> {
  let within = start
  for (let i = 0; i < Math.max(2, wanted - 3); i++) {
    const { affordable } = await at(within)
    if (!affordable) return
    within = rounded(within / 2, Math.round)
  }
}

/** Puts points where two neighbours are furthest apart. */
async function fill(
  points: ReadonlyMap<number, CurvePoint>,
  wanted: number,
  at: (within: number) => Promise<CurvePoint>,
): Promise<void> {
  while (points.size < wanted) {
    const sorted = [...points.keys()].sort((a, b) => a - b)
    const gaps = sorted.slice(1).map((high, i) => ({ ratio: high / sorted[i]!, middle: Math.sqrt(high * sorted[i]!) }))
    const widest = gaps.sort((a, b) => b.ratio - a.ratio)[0]
    if (!widest || points.has(rounded(widest.middle, Math.round))) return
    await at(rounded(widest.middle, Math.round))
  }
}

/** Three digits: widths that people would type. */
function rounded(width: number, round: (x: number) => number): number {
  if (width <= 0) return 0
  const unit = 10 ** (Math.floor(Math.log10(width)) - 2)
  return Number((round(width / unit) * unit).toPrecision(6))
}
