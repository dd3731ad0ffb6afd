import { columnsOf } from '../../src/answer/column/columns.ts'
import { jointOfParts } from '../../src/answer/known/joint.ts'
import { fromMeasurement } from '../../src/answer/known/known-part.ts'
import { seededBits } from '../../src/evaluation/index.ts'
import { one, rational } from '../../src/numeric/index.ts'
import { countAll, type Expression, type NoiseLaw, type Statement } from '../../src/query/index.ts'
import { zeroSpending } from '../../src/trusted/accounting/index.ts'
import { discreteGaussians, discreteLaplaces } from '../../src/trusted/random/index.ts'

export const draws = 20_000
const part = (i: number): Expression => ({ kind: 'part', part: i })
const ratio: Expression = { kind: 'quotient', left: part(0), right: part(1) }
/** As AVG of ages 0 … 100 is made: 50 + (sum of what ages are above 50) / count. */
const average: Expression = {
  kind: 'clip',
  of: { kind: 'sum', left: { kind: 'constant', value: rational(50) }, right: ratio },
  low: rational(0),
  high: rational(100),
}
/** A group per draw: their noises are independent of each other. */
const statement = (expression: Expression): Statement => ({
  text: '',
  axes: [{ name: 'draw', attribute: 'draw', labels: Array.from({ length: draws }, (_, i) => i) }],
  parts: [countAll, countAll],
  columns: [{ kind: 'value', name: 'ratio', expression }],
  orderBy: [],
})

const noises = (law: NoiseLaw, seed: number): Float64Array => {
  const bits = seededBits(seed)
  if (law.kind === 'laplace') return Float64Array.from(discreteLaplaces(law.scale, draws, bits), Number)
  return law.kind === 'gaussian'
    ? Float64Array.from(discreteGaussians(law.variance, draws, bits), Number)
    : new Float64Array(draws)
}

interface RatioCase {
  readonly name: string
  readonly expression: Expression
  /** The exact sum and count, and the value that they make. */
  readonly exact: readonly [number, number]
  readonly value: number
  readonly laws: readonly [NoiseLaw, NoiseLaw]
}
const laplace = (scale: number): NoiseLaw => ({ kind: 'laplace', scale: rational(scale) })
const gaussian = (sigma: number): NoiseLaw => ({ kind: 'gaussian', variance: rational(sigma * sigma) })
export const ratioCases: readonly RatioCase[] = [
  { name: 'an average', expression: average, exact: [-3000, 300], value: 40, laws: [laplace(500), laplace(10)] },
  { name: 'of few', expression: average, exact: [600, 40], value: 65, laws: [laplace(500), laplace(10)] },
  { name: 'at an end', expression: average, exact: [5000, 100], value: 100, laws: [laplace(500), laplace(10)] },
  { name: 'of coarse noise', expression: average, exact: [120, 30], value: 54, laws: [laplace(3), laplace(1)] },
  { name: 'with Gauss', expression: average, exact: [-3000, 300], value: 40, laws: [gaussian(700), gaussian(14)] },
  { name: 'without bounds', expression: ratio, exact: [900, 300], value: 3, laws: [laplace(60), laplace(20)] },
]

/** How often the interval of a ratio held it, and its median width; `joint` false: from two intervals. */
export function ratioDraws({ expression, exact, value, laws }: RatioCase, confidence: number, joint = true) {
  const measured = laws.map((law, i) => ({
    id: `${i}`,
    query: { ...countAll, step: one },
    law,
    values: noises(law, 11 + i).map((noise) => exact[i]! + noise),
  }))
  const parts = measured.map((m) => fromMeasurement(m, zeroSpending))
  const [column] = columnsOf(statement(expression), parts, {
    confidence,
    cost: () => ({ epsilon: 0, delta: 0 }),
    ...(joint ? { joint: jointOfParts(measured) } : {}),
  })
  const groups = column && 'groups' in column ? column.groups : []
  const ends = groups.map(({ interval: [low, high] }) => [low ?? -Infinity, high ?? Infinity] as const)
  const covered = ends.filter(([low, high]) => low <= value && value <= high).length / draws
  const widths = Float64Array.from(ends, ([low, high]) => high - low).sort()
  return { covered, width: widths[draws / 2]! }
}
