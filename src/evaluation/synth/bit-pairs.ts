import { type LinearQuery, marginalOver } from '../../query/index.ts'
import type { CodedTable } from '../marginals/index.ts'

/**
 * The counts of pairs of binary attributes, 32 rows at a time: half a million of them in a second. Undefined for any other
 * query.
 */
export function bitPairs(table: CodedTable): (query: LinearQuery) => Float64Array | undefined {
  const { universe, rows } = table
  const packed = table.columns.map((column, a) => (universe.attributes[a]!.size === 2 ? pack(column) : undefined))
  const ones = packed.map((words) => (words ? common(words, words) : 0))
  return (query) => {
    const [x, y, ...more] = (marginalOver(query) ?? []).map((name) => universe.index.get(name)!)
    if (x === undefined || y === undefined || more.length > 0 || !packed[x] || !packed[y]) return undefined
    const both = common(packed[x], packed[y])
    return Float64Array.of(rows - ones[x]! - ones[y]! + both, ones[y]! - both, ones[x]! - both, both)
  }
}

function pack(column: Uint16Array): Int32Array {
  const words = new Int32Array(Math.ceil(column.length / 32))
  for (let row = 0; row < column.length; row++) words[row >> 5]! |= column[row]! << (row & 31)
  return words
}

/** The bits that both have set. */
function common(x: Int32Array, y: Int32Array): number {
  let sum = 0
  for (let i = 0; i < x.length; i++) {
    let v = x[i]! & y[i]!
    v -= (v >>> 1) & 0x55555555
    v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
    sum += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return sum
}
