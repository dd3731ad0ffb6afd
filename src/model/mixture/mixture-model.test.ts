import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'
import { countAll, groupOf, type LinearQuery, marginal, weightAt } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import type { Mixture } from './mixture.ts'
import { sharesOf } from './mixture.ts'
import { mixtureModelFromJson } from './mixture-json.ts'
import { MixtureModel } from './mixture-model.ts'

const people = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 5, closed: true }),
  attribute({ kind: 'values', name: 'state', values: ['a', 'b', 'c'], other: true, closed: false }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
])
const atoms = [Int32Array.of(0, 0, 1, 2, 2, 2), Int32Array.of(0, 1, 2, 1, 0), Int32Array.of(0, 1)]

function made(seed: number, components = 3): MixtureModel {
  const { uniform } = seededBits(seed)
  const positive = (length: number) => Float64Array.from({ length }, () => 0.05 + uniform())
  const normal = (values: Float64Array) => {
    const sum = values.reduce((a, b) => a + b)
    return values.map((value) => value / sum)
  }
  const mixture: Mixture = {
    weights: normal(positive(components)),
    attributes: atoms.map((groupOf) => {
      const partition = { groupOf, count: Math.max(...groupOf) + 1 }
      const probabilities = new Float32Array(partition.count * components)
      for (let k = 0; k < components; k++)
        for (const [atom, value] of normal(positive(partition.count)).entries())
          probabilities[atom * components + k] = value
      return { atoms: partition, shares: sharesOf(partition, positive(groupOf.length)), probabilities }
    }),
  }
  return new MixtureModel(people, 1000, mixture)
}

/** Every cell of the universe with its probability. */
function* cells({ mixture }: MixtureModel): Iterable<{ cell: number[]; mass: number }> {
  const { weights, attributes } = mixture
  for (let a = 0; a < 6; a++)
    for (let b = 0; b < 5; b++)
      for (let c = 0; c < 2; c++) {
        const cell = [a, b, c]
        const mass = weights.reduce(
          (sum, weight, k) =>
            sum +
            cell.reduce((p, code, i) => {
              const { atoms, shares, probabilities } = attributes[i]!
              return p * shares[code]! * probabilities[atoms.groupOf[code]! * weights.length + k]!
            }, weight),
          0,
        )
        yield { cell, mass }
      }
}

function slowAnswers(model: MixtureModel, query: LinearQuery): number[] {
  const axes = query.by.map((g) => g.groups?.length ?? people.attributes[people.index.get(g.attribute)!]!.size)
  const answers = new Array<number>(axes.reduce((a, b) => a * b, 1)).fill(0)
  for (const { cell, mass } of cells(model)) {
    const weight = weightAt(query, people, cell)
    if (weight === 0) continue
    const places = query.by.map((g) => groupOf(g, cell[people.index.get(g.attribute)!]!))
    answers[places.reduce((at, place, i) => at * axes[i]! + place, 0)]! += 1000 * mass * weight
  }
  return answers
}

/** Probabilities are floats: those of one attribute add up to 1 within some 2^-24, and there are three attributes. */
const close = (x: ArrayLike<number>, y: readonly number[]) => {
  expect(x.length).toBe(y.length)
  for (const [i, value] of y.entries()) expect(Math.abs(x[i]! - value)).toBeLessThan(1e-6 * (1 + Math.abs(value)))
}

describe('answers are those of all cells together', () => {
  const older = { kind: 'interval', from: 2, to: 4 } as const
  const queries: [string, LinearQuery][] = [
    ['a count', countAll],
    ['a marginal', marginal(['age'])],
    ['all three attributes', marginal(['member', 'age', 'state'])],
    [
      'groups that leave a code out',
      {
        ...countAll,
        by: [{ attribute: 'age', groups: [older, { kind: 'set', codes: [0, 5] }] }, { attribute: 'member' }],
      },
    ],
    [
      'two terms, one on the attribute that is grouped by',
      {
        by: [{ attribute: 'state' }],
        terms: [
          { coefficient: 3, factors: { age: { kind: 'value', slope: 2, shift: 1, power: 2, from: 0, to: 5 } } },
          { coefficient: -2, factors: { state: { kind: 'table', values: [1, 0, 5, 2, 7] }, member: older01() } },
        ],
        step: rational(1, 2),
      },
    ],
    ['no term', { ...countAll, terms: [] }],
  ]
  test.each(queries)('%s', (_, query) => {
    const model = made(5)
    close(model.answers(query), slowAnswers(model, query))
  })
})
function older01() {
  return { kind: 'set', codes: [1] } as const
}

test('marginals over any attributes, in any order', () => {
  const model = made(6)
  for (const attributes of [[], [0], [2, 1], [1, 2, 0]]) {
    const names = attributes.map((a) => people.attributes[a]!.name)
    close(model.marginal(attributes), slowAnswers(model, marginal(names)))
  }
})

test('what is written down reads back as the same model', () => {
  const model = made(7)
  const json = JSON.parse(JSON.stringify(model.toJson()))
  const back = mixtureModelFromJson(json, people)!
  expect(back.mixture).toEqual(model.mixture)
  expect(back.records).toBe(model.records)
  const [first, ...others] = json.attributes
  for (const damaged of [
    { ...json, weights: [] },
    { ...json, weights: ['a'] },
    { ...json, attributes: others },
    { ...json, attributes: [{ ...first, shares: [1] }, ...others] },
    { ...json, attributes: [{ ...first, atoms: [0, 0, 1, 2, 2, 7] }, ...others] },
    { ...json, attributes: [{ ...first, atoms: [0, 0, 0.5, 1, 1, 2] }, ...others] },
    { ...json, attributes: [null, ...others] },
  ])
    expect(mixtureModelFromJson(damaged, people)).toBeUndefined()
})

test('rows have the marginals of the model, up to the rounding of an atom and a code', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(0, 1, 2, 17, 1000, 4321), (seed, count) => {
      const model = made(seed, 1 + (seed % 40))
      const rows = model.rows(count, seededBits(seed).uniform)
      expect(rows.map(({ length }) => length)).toEqual([count, count, count])
      for (const [a, column] of rows.entries()) {
        const expected = model.marginal([a])
        const counts = expected.map(() => 0)
        for (const code of column) counts[code]!++
        // The error that is carried is below 2, and codes of an atom are rounded once more.
        for (const [code, value] of expected.entries())
          expect(Math.abs(counts[code]! - (value * count) / 1000)).toBeLessThan(3)
      }
    }),
    { numRuns: 60 },
  )
})
