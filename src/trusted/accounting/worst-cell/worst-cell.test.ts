import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../../../test/support/queries.ts'
import { rational } from '../../../numeric/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { AnswerCharge } from '../charge.ts'
import type { Terms } from '../price.ts'
import { addUnits } from '../units.ts'
import { costAt, costTable, mostUnits } from './cost-table.ts'
import { eliminate } from './elimination.ts'
import { emptyField, extendField, type Field, fieldBound, withMessages } from './field.ts'
import { improve, settle } from './improve.ts'
import { updateNode } from './messages.ts'
import { Search } from './search.ts'

const relation = { unit: { kind: 'row' }, neighbours: 'add-remove' } as const
const charge = (u: Universe): fc.Arbitrary<AnswerCharge> =>
  fc.record({
    kind: fc.constant('measurement' as const),
    query: queryOver(u, 'grouped'),
    law: fc
      .tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 9 }))
      .map(([n, d]) => ({ kind: 'laplace' as const, scale: rational(n, d) })),
  })
/** Costs that exact integers hold: beyond them a bound is Infinity, and tables are not asked. */
const isExact = (charges: readonly AnswerCharge[], terms: Terms): boolean =>
  charges.reduce((sum, c) => addUnits(sum, mostUnits(c, terms)), 0) < Number.POSITIVE_INFINITY
const cases = smallUniverse(5, [1, 2, 3, 4])
  .chain((universe) =>
    fc.record({
      terms: fc.constant<Terms>({ universe, privacy: relation }),
      batches: fc.array(fc.array(charge(universe), { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      order: fc.array(fc.nat(30), { maxLength: 12 }),
    }),
  )
  .filter(({ terms, batches }) => isExact(batches.flat(), terms))

/** Visits every cell. */
const worst = (charges: readonly AnswerCharge[], terms: Terms): number =>
  Math.max(...[...cellsOf(terms.universe)].map((t) => charges.reduce((sum, c) => sum + costAt(c, t, terms), 0)))
const fieldOf = (charges: readonly AnswerCharge[], terms: Terms, field: Field = emptyField(terms.universe)): Field =>
  extendField(
    field,
    charges.map((c) => costTable(c, terms)),
  )

/** What the proof of the bound rests on: every attribute has received what its nodes have handed over, to the unit. */
function expectConserved(field: Field): void {
  for (const [a, received] of field.received.entries()) {
    const handed = new Float64Array(received.length)
    for (const node of field.nodes)
      for (const [axis, attribute] of node.table.attributes.entries())
        if (attribute === a) for (const [c, v] of node.message[axis]!.entries()) handed[c]! += v
    expect([...handed]).toEqual([...received].map((v) => v + 0))
  }
}

describe('the worst cell against every cell', () => {
  test('elimination is exact; a search finds no more', () => {
    fc.assert(
      fc.property(cases, ({ terms, batches }) => {
        const charges = batches.flat()
        const field = fieldOf(charges, terms)
        const truth = worst(charges, terms)
        expect(eliminate(field)).toBe(truth)
        expect(new Search(field).restart(5).units).toBeLessThanOrEqual(truth)
      }),
      { numRuns: 200 },
    )
  })

  test('whatever messages are sent, in whatever order, between whatever charges, the bound holds', () => {
    fc.assert(
      fc.property(cases, ({ terms, batches, order }) => {
        let field = emptyField(terms.universe)
        const charges: AnswerCharge[] = []
        for (const batch of batches) {
          charges.push(...batch)
          const shorter = field
          field = fieldOf(batch, terms, field)
          const truth = worst(charges, terms)
          expect(fieldBound(field)).toBeGreaterThanOrEqual(truth)
          for (const i of order) {
            if (field.nodes.length > 0) updateNode(field, field.nodes[i % field.nodes.length]!)
            expect(fieldBound(field)).toBeGreaterThanOrEqual(truth)
          }
          expectConserved(field)
          const taught = withMessages(shorter, field)
          expect(fieldBound(taught)).toBeGreaterThanOrEqual(
            worst(charges.slice(0, charges.length - batch.length), terms),
          )
          expectConserved(taught)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('arbitrary messages, not only those of the algorithm, give a valid bound', () => {
    fc.assert(
      fc.property(cases, fc.infiniteStream(fc.integer({ min: -1e12, max: 1e12 })), ({ terms, batches }, noise) => {
        const [first, ...others] = batches
        const field = fieldOf(first!, terms)
        for (const node of field.nodes) {
          for (const [axis, a] of node.table.attributes.entries()) {
            for (let c = 0; c < node.message[axis]!.length; c++) {
              const value = noise.next().value!
              node.message[axis]![c]! += value
              field.received[a]![c]! += value
            }
          }
        }
        // An extension carries the messages over and maximises only what it changed: rest must be told for the others.
        const honest = withMessages(field, field)
        expect(fieldBound(honest)).toBeGreaterThanOrEqual(worst(first!, terms))
        expect(fieldBound(fieldOf(others.flat(), terms, honest))).toBeGreaterThanOrEqual(worst(batches.flat(), terms))
      }),
      { numRuns: 200 },
    )
  })

  test('improve and settle stay above, and end where a cell shows that there is no more to gain', () => {
    fc.assert(
      fc.property(cases, ({ terms, batches }) => {
        const charges = batches.flat()
        const truth = worst(charges, terms)
        expect(improve(fieldOf(charges, terms), truth)).toBeGreaterThanOrEqual(truth)
        const field = fieldOf(charges, terms)
        const settled = settle(field)
        expect(settled).toBeGreaterThanOrEqual(truth)
        expect(settled).toBeLessThanOrEqual(fieldBound(fieldOf(charges, terms)))
      }),
      { numRuns: 150 },
    )
  })
})
