import { columnsOf } from '../../src/answer/column/columns.ts'
import { jointOfMeasurements } from '../../src/answer/known/joint.ts'
import { fromMeasurement } from '../../src/answer/known/known-part.ts'
import { RatioLaws } from '../../src/answer/ratio/laws.ts'
import { ratioOf } from '../../src/answer/ratio/ratio.ts'
import { seededBits } from '../../src/evaluation/index.ts'
import { rational } from '../../src/numeric/index.ts'
import { countAll, type Expression, type LinearQuery, type NoiseLaw, type Statement } from '../../src/query/index.ts'
import { zeroSpending } from '../../src/trusted/accounting/index.ts'
import { discreteGaussians, discreteLaplaces } from '../../src/trusted/random/index.ts'
import { metered, promise } from '../../test/support/metered.ts'

export const draws = 20_000
/** Of the intervals, and of their widths. */
export const [confidence, sure] = [0.975, 0.999]
const part = (i: number): Expression => ({ kind: 'part', part: i })
const ratio: Expression = { kind: 'quotient', left: part(0), right: part(1) }
/** As AVG of ages 0 … 9 is made, with the sum in halves. */
const average: Expression = {
  kind: 'clip',
  of: { kind: 'sum', left: { kind: 'constant', value: rational(9, 2) }, right: ratio },
  low: rational(0),
  high: rational(9),
}
const parts: LinearQuery[] = [
  {
    by: [],
    terms: [{ coefficient: 1, factors: { age: { kind: 'value', slope: 2, shift: -9, power: 1, from: 0, to: 9 } } }],
    step: rational(1, 2),
  },
  countAll,
]
const statement = (expression: Expression): Statement => ({
  text: '',
  axes: [{ name: 'draw', attribute: 'draw', labels: Array.from({ length: draws }, (_, i) => i) }],
  parts,
  columns: [{ kind: 'value', name: 'ratio', expression }],
  orderBy: [],
})

const noises = (law: NoiseLaw, seed: number): Float64Array => {
  const bits = seededBits(seed)
  return law.kind === 'laplace'
    ? Float64Array.from(discreteLaplaces(law.scale, draws, bits), Number)
    : Float64Array.from(
        discreteGaussians((law as Extract<NoiseLaw, { kind: 'gaussian' }>).variance, draws, bits),
        Number,
      )
}

const gaussian = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' as const }
/** A number of records at its lower bound, the worst that the width must hold for, and the average of 0 … 9 in halves. */
export const withinCases = [
  { name: 'in the middle', privacy: promise, count: 1000, halves: 0, within: 0.3 },
  { name: 'at the end', privacy: promise, count: 1000, halves: -9, within: 0.3 },
  { name: 'of few', privacy: promise, count: 30, halves: 3, within: 1.5 },
  { name: 'of few, precisely', privacy: promise, count: 20, halves: 1, within: 0.05 },
  { name: 'with Gauss', privacy: gaussian, count: 1000, halves: -9, within: 0.3 },
]

/** How often the intervals that are bought for a half-width hold the ratio, how often they are as narrow, and the median. */
export async function withinDraws({ privacy, count, halves, within }: (typeof withinCases)[number]) {
  const { book } = await metered({ privacy })
  const goal = { ratio: ratioOf(average)!, within }
  const charges = new RatioLaws(goal, parts, { confidence, sure }, book).for({ bound: count, most: 4.5 })!
  const exact = [count * halves, count]
  const measured = charges.map(({ query, law }, i) => {
    const values = noises(law, 31 + i).map((noise) => exact[i]! + noise)
    return { id: `${i}`, query, law, values }
  })
  const [column] = columnsOf(
    statement(average),
    measured.map((m) => fromMeasurement(m, zeroSpending)),
    { confidence, cost: () => ({ epsilon: 0, delta: 0 }), joint: jointOfMeasurements(measured) },
  )
  const groups = column && 'groups' in column ? column.groups : []
  const value = 4.5 + halves / 2
  const covered = groups.filter(({ interval: [low, high] }) => low! <= value && value <= high!).length / draws
  const narrow = groups.filter((g) => g.within !== null && g.within <= within).length / draws
  const widths = Float64Array.from(groups, (g) => g.within!).sort()
  return { covered, narrow, median: widths[draws / 2]! }
}
