import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  cellIndex,
  cellsOver,
  cliquesOf,
  JointTables,
  JunctionTree,
  joinCliques,
  type Table,
  type Uses,
  weightedSums,
} from './index.ts'
import { otherEnd, type TreeShape } from './shape.ts'

/** Sizes, and factors over random sets of attributes that hang together: attribute 0 is in the first, each shares one with those before. */
const problem = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 7 }),
    picks: fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 7 }),
    logs: fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 8, maxLength: 8 }),
  })
  .map(({ sizes, picks, logs }) => {
    const reached = new Set([0])
    const factors: Table[] = picks.map((pick) => {
      const known = [...reached]
      const set = new Set([known[pick[0]! % known.length]!, ...pick.map((p) => p % sizes.length)])
      for (const a of set) reached.add(a)
      const attributes = [...set].sort((a, b) => a - b)
      const values = Float64Array.from({ length: cellsOver(attributes, sizes) }, (_, i) => logs[i % 8]! * (1 + (i % 3)))
      return { attributes, values }
    })
    return { sizes, factors, attributes: [...reached].sort((a, b) => a - b) }
  })

/** The obvious way: every cell of the whole table. */
function enumerated(attributes: readonly number[], sizes: readonly number[], logs: readonly Table[]): Float64Array {
  const joint = new Float64Array(cellsOver(attributes, sizes)).fill(1)
  for (const table of logs) {
    const index = cellIndex(attributes, table.attributes, sizes)
    for (let i = 0; i < joint.length; i++) joint[i]! *= Math.exp(table.values[index[i]!]!)
  }
  const total = joint.reduce((sum, p) => sum + p, 0)
  return joint.map((p) => p / total)
}

function summed(joint: Float64Array, attributes: readonly number[], onto: readonly number[], sizes: readonly number[]) {
  const sums = new Float64Array(cellsOver(onto, sizes))
  const index = cellIndex(attributes, onto, sizes)
  for (let i = 0; i < joint.length; i++) sums[index[i]!]! += joint[i]!
  return sums
}

// Sums of at most 3^7 products of a dozen doubles, each good to 2^-52: far below this.
const roundingTolerance = 1e-11
function expectEqual(a: Float64Array, b: Float64Array) {
  expect(a.length).toBe(b.length)
  for (let i = 0; i < a.length; i++) expect(Math.abs(a[i]! - b[i]!)).toBeLessThan(roundingTolerance)
}

const treeOf = (factors: readonly Table[], sizes: readonly number[]) =>
  new JunctionTree(
    joinCliques(
      cliquesOf(
        factors.map((f) => f.attributes),
        sizes,
      ),
      sizes,
    ),
    sizes,
    factors,
  )

test('cliques hold every set, none holds another, and an attribute is in connected cliques', () => {
  fc.assert(
    fc.property(problem, ({ sizes, factors, attributes }) => {
      const shape = treeOf(factors, sizes).shape
      for (const f of factors) expect(shape.cliques.some((c) => f.attributes.every((a) => c.includes(a)))).toBe(true)
      for (const c of shape.cliques)
        for (const d of shape.cliques) if (c !== d) expect(c.every((a) => d.includes(a))).toBe(false)
      expect(shape.edges.length).toBe(shape.cliques.length - 1)
      for (const a of attributes) {
        const holders = shape.cliques.filter((c) => c.includes(a)).length
        expect(shape.edges.filter((e) => e.separator.includes(a)).length).toBe(holders - 1)
      }
      expect(reachable(shape).size).toBe(shape.cliques.length)
    }),
  )
})

function reachable(shape: TreeShape): Set<number> {
  const found = new Set([0])
  for (const c of found) for (const e of shape.edgesAt[c]!) found.add(otherEnd(shape.edges[e]!, c))
  return found
}

test('a cycle of attributes is cut into cliques of three', () => {
  const sizes = [2, 2, 2, 2, 2, 2]
  const sets = sizes.map((_, a) => [a, (a + 1) % 6].sort())
  expect(cliquesOf(sets, sizes).map((c) => c.length)).toEqual([3, 3, 3, 3])
})

test('every clique and separator has the marginal that enumeration gives', () => {
  fc.assert(
    fc.property(problem, ({ sizes, factors, attributes }) => {
      const tree = treeOf(factors, sizes)
      const joint = enumerated(attributes, sizes, factors)
      tree.settle()
      for (const [c, clique] of tree.shape.cliques.entries())
        expectEqual(tree.at(c), summed(joint, attributes, clique, sizes))
      for (const [e, { separator }] of tree.shape.edges.entries())
        expectEqual(tree.separator(e), summed(joint, attributes, separator, sizes))
    }),
  )
})

test('multiplying clique after clique is making the tree anew, in whatever order cliques are looked at', () => {
  fc.assert(
    fc.property(problem, fc.array(fc.nat(), { maxLength: 12 }), ({ sizes, factors, attributes }, looks) => {
      const tree = treeOf(
        factors.map((f) => ({ ...f, values: f.values.map(() => 0) })),
        sizes,
      )
      const done: Table[] = []
      for (const look of looks) {
        const factor = factors[look % factors.length]!
        const clique = tree.cliqueWith(factor.attributes)
        tree.multiply(clique, factor.values.map(Math.exp), tree.projection(clique, factor.attributes))
        done.push(factor)
        const seen = look % tree.shape.cliques.length
        const joint = enumerated(attributes, sizes, done)
        expectEqual(tree.at(seen), summed(joint, attributes, tree.shape.cliques[seen]!, sizes))
        if (look % 5 === 0) tree.settle()
      }
    }),
  )
})

test('the joint tables of all pairs are those of enumeration', () => {
  fc.assert(
    fc.property(problem, ({ sizes, factors, attributes }) => {
      const joint = enumerated(attributes, sizes, factors)
      const tables = new JointTables(treeOf(factors, sizes))
      for (const a of attributes) {
        const found = tables.with(a)
        expect([...found.keys()].sort()).toEqual(attributes.filter((b) => b !== a))
        for (const [b, table] of found) expectEqual(table, summed(joint, attributes, [a, b], sizes))
      }
    }),
  )
})

test('weighted and grouped sums over any attributes are those of enumeration', () => {
  const use = fc.record({
    kind: fc.constantFrom('groups', 'weights', 'both', 'none'),
    weights: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 }),
    groups: fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 3, maxLength: 3 }),
  })
  fc.assert(
    fc.property(problem, fc.array(use, { minLength: 7, maxLength: 7 }), ({ sizes, factors, attributes }, wanted) => {
      const uses: Uses = new Map(
        attributes.flatMap((a) => {
          const { kind, weights, groups } = wanted[a]!
          if (kind === 'none') return []
          const of = { of: Int32Array.from(groups).subarray(0, sizes[a]), count: 2 }
          const factors = Float64Array.from(weights).subarray(0, sizes[a])
          return [
            [a, { groups: kind === 'weights' ? undefined : of, weights: kind === 'groups' ? undefined : factors }],
          ]
        }),
      )
      const sums = weightedSums(treeOf(factors, sizes), uses)
      const joint = enumerated(attributes, sizes, factors)
      const slow = new Float64Array(sums.values.length)
      joint.forEach((p, cell) => {
        const codeOf = (a: number) => cellIndex(attributes, [a], sizes)[cell]!
        let mass = p
        for (const [a, { weights }] of uses) if (weights) mass *= weights[codeOf(a)]!
        const groups = sums.attributes.map((a) => uses.get(a)!.groups!.of[codeOf(a)]!)
        if (groups.every((g) => g >= 0)) slow[groups.reduce((index, g) => index * 2 + g, 0)]! += mass
      })
      // Weights are up to 2^7 in size.
      expectEqual(
        sums.values.map((v) => v / 128),
        slow.map((v) => v / 128),
      )
    }),
  )
})
