import { expect, test } from 'vitest'
import { countAll, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { countMarginals } from '../marginals/index.ts'
import { seededBits } from '../seeded.ts'
import { bitPairs } from './bit-pairs.ts'

test('pairs of bits are counted as a loop over the rows counts them', () => {
  const { uniform } = seededBits(1)
  for (const rows of [1, 31, 32, 33, 1000]) {
    const columns = [0.1, 0.5, 0.9].map((p) => Uint16Array.from({ length: rows }, () => (uniform() < p ? 1 : 0)))
    const names = ['a', 'b', 'c']
    const over = universe(names.map((name) => attribute({ kind: 'boolean', name, closed: true })))
    const table = { name: 'bits', universe: over, rows, columns }
    const pairs = [
      ['a', 'b'],
      ['c', 'a'],
      ['b', 'c'],
    ]
    const { counts } = countMarginals(table, pairs)
    const ofPair = bitPairs(table)
    pairs.forEach((pair, i) => {
      expect(ofPair(marginal(pair))).toEqual(counts[i])
    })
    expect([countAll, marginal(['a']), marginal(names)].map(ofPair)).toEqual([undefined, undefined, undefined])
  }
})
