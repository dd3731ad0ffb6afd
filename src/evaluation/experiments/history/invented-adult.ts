import { firstWhere } from '../../../numeric/index.ts'
import { type Attribute, attribute, universe } from '../../../schema/index.ts'
import type { CodedTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'

const integer = (name: string, low: number, high: number): Attribute =>
  attribute({ kind: 'integer', name, low, high, closed: true })
const values = (name: string, size: number): Attribute =>
  attribute({
    kind: 'values',
    name,
    values: Array.from({ length: size }, (_, i) => `${name} ${i}`),
    other: false,
    closed: true,
  })

/** The domains of the paper's table (Fig. 1), which is not public: 79, 2, 17, 51, 9, 7, 6, 50 and 50 values. */
const adult = universe([
  integer('age', 16, 94),
  values('gender', 2),
  integer('education', 1, 17),
  values('birth_place', 51),
  values('race', 9),
  values('work_class', 7),
  values('marital', 6),
  values('occupation', 50),
  integer('salary', 0, 49),
])

/** Kinds of people. */
const classes = 8

/**
 * Invented people over these domains: eight kinds of them, each with numbers around a middle of its own and categories of its own
 * order of frequency, so that attributes depend on each other.
 */
export function inventedAdult(rows: number, seed: number): CodedTable {
  const { uniform } = seededBits(seed)
  const laws = Array.from({ length: classes }, () =>
    adult.attributes.map((a) => cumulative(a.kind === 'integer' ? hill(a.size, uniform) : ranked(a.size, uniform))),
  )
  const columns = adult.attributes.map(() => new Uint16Array(rows))
  for (let row = 0; row < rows; row++) {
    const law = laws[Math.floor(classes * uniform() ** 1.5)]!
    for (const [i, column] of columns.entries()) column[row] = firstAbove(law[i]!, uniform())
  }
  return { name: 'invented adult', universe: adult, rows, columns }
}

/** Weights around a middle. */
function hill(size: number, uniform: () => number): number[] {
  const [middle, width] = [size * uniform(), size * (0.08 + 0.15 * uniform())]
  return Array.from({ length: size }, (_, code) => Math.exp(-(((code - middle) / width) ** 2) / 2) + 0.003)
}

/** Every second one about two thirds as frequent, in an order that is drawn. */
function ranked(size: number, uniform: () => number): number[] {
  const order = Array.from({ length: size }, (_, code) => ({ code, at: uniform() + 0.03 * code }))
  order.sort((x, y) => x.at - y.at)
  const weights = new Array<number>(size).fill(0)
  for (const [rank, { code }] of order.entries()) weights[code] = (1 + rank) ** -1.2
  return weights
}

function cumulative(weights: readonly number[]): Float64Array {
  let sum = 0
  const sums = Float64Array.from(weights, (weight) => {
    sum += weight
    return sum
  })
  return sums.map((value) => value / sum)
}

const firstAbove = (cumulated: Float64Array, u: number): number =>
  firstWhere(0, cumulated.length - 1, (i) => cumulated[i]! > u)
