import { countAll, type LinearQuery } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { generateCensus } from '../../census/generate.ts'
import type { RawRecord } from '../../memory-engine.ts'

/** §6.4: histograms of 100 cells. Here the ages of a generated census, those of 100 and more in the last cell. */
export const cells = 100
export const ages = universe([attribute({ kind: 'integer', name: 'age', low: 0, high: cells - 1, closed: true })])

export interface AgeTable {
  readonly rows: readonly RawRecord[]
  readonly histogram: Float64Array
}

export function ageTable(people: number, seed: number): AgeTable {
  const [column] = generateCensus({ rows: people, seed }).columns
  const histogram = new Float64Array(cells)
  const rows = Array.from(column!, (age) => ({ age: Math.min(age, cells - 1) }))
  for (const { age } of rows) histogram[age]!++
  return { rows, histogram }
}

/** A question and how precise its answer must be: the paper's (ε, δ) requirement. */
export interface Question {
  /** How often each cell counts. */
  readonly weights: Float64Array
  readonly query: LinearQuery
  /** ε in the paper: half the width of the interval. */
  readonly within: number
}

/** 1 - δ, §6.4. */
export const confidence = 0.8

/** Eq. 37, its sum brought from 10 to 1: ten cells share 0.9, the next ten 0.09, and so on. */
export const cellProbability = (cell: number): number => 0.09 * 10 ** -Math.floor(cell / 10)

/** Eq. 38: one to ten draws of a cell, and 2ε uniform on [least, 1000]. */
export function drawQuestion(uniform: () => number, least: number): Question {
  const weights = new Float64Array(cells)
  const trials = 1 + Math.floor(10 * uniform())
  for (let i = 0; i < trials; i++) weights[drawCell(uniform())]!++
  const table = { kind: 'table', values: Array.from(weights) } as const
  return {
    weights,
    query: { ...countAll, terms: [{ coefficient: 1, factors: { age: table } }] },
    within: (least + (1000 - least) * uniform()) / 2,
  }
}

function drawCell(u: number): number {
  let below = 0
  for (let cell = 0; cell < cells; cell++) {
    below += cellProbability(cell)
    if (u < below) return cell
  }
  return cells - 1 // what rounding and the missing 10^-10 leave
}
