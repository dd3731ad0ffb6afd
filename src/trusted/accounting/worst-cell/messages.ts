import { addUnits } from '../units.ts'
import type { Field, Node } from './field.ts'

/**
 * One step of block coordinate descent on the dual (MPLP: Globerson and Jaakkola, NIPS 2007): the node takes back what it
 * has handed over, takes in what its attributes received from others, and hands each attribute an equal share of
 * the largest sums that remain possible. Any messages give a valid bound; these seldom raise it, and then by no more
 * than the rounding. Does nothing where a sum could leave the exact integers.
 */
export function updateNode(field: Field, node: Node): void {
  const { attributes, partitions, units } = node.table
  const others: Float64Array[] = []
  const best: Float64Array[] = []
  let size = node.most
  for (let axis = 0; axis < attributes.length; axis++) {
    const received = field.received[attributes[axis]!]!
    const message = node.message[axis]!
    const classOf = node.classOf[axis]!
    const other = new Float64Array(received.length)
    const highest = new Float64Array(partitions[axis]!.count).fill(Number.NEGATIVE_INFINITY)
    let largest = 0
    for (let c = 0; c < other.length; c++) {
      const value = received[c]! - message[c]!
      other[c] = value
      if (value > highest[classOf[c]!]!) highest[classOf[c]!] = value
      if (Math.abs(value) > largest) largest = Math.abs(value)
    }
    others.push(other)
    best.push(highest)
    size = addUnits(size, largest)
  }
  // Twice: a new message is the difference of two numbers of this size.
  if (addUnits(size, size) === Number.POSITIVE_INFINITY) return
  const reached = maxMarginals(units, best)
  for (let axis = 0; axis < attributes.length; axis++) {
    const received = field.received[attributes[axis]!]!
    const message = node.message[axis]!
    const classOf = node.classOf[axis]!
    const other = others[axis]!
    for (let c = 0; c < other.length; c++) {
      const own = classOf[c]!
      const share = divideUp(reached[axis]![own]! - best[axis]![own]! + other[c]!, attributes.length)
      received[c] = share
      message[c] = share - other[c]!
    }
  }
  // table + Σ others ≤ each axis's maximum ≤ its share × number of axes, for shares are rounded up: nothing is left over.
  node.rest = 0
}

/** ⌈value / parts⌉, exactly: the remainder of integers is exact in doubles. */
function divideUp(value: number, parts: number): number {
  const remainder = value % parts
  return (value - remainder) / parts + (remainder > 0 ? 1 : 0)
}

/** Per axis and class: the maximum of table + Σ addends over all entries in that class. */
function maxMarginals(table: Float64Array, addends: readonly Float64Array[]): Float64Array[] {
  const marginals = addends.map((a) => new Float64Array(a.length).fill(Number.NEGATIVE_INFINITY))
  const inner = addends.at(-1)!
  const innerMarginal = marginals.at(-1)!
  const outer = addends.length - 1
  const digits = new Int32Array(outer)
  for (let start = 0; start < table.length; start += inner.length) {
    let base = 0
    for (let axis = 0; axis < outer; axis++) base += addends[axis]![digits[axis]!]!
    // One row: the last axis runs, all others stand.
    let rowBest = Number.NEGATIVE_INFINITY
    for (let c = 0; c < inner.length; c++) {
      const value = table[start + c]! + base + inner[c]!
      if (value > innerMarginal[c]!) innerMarginal[c] = value
      if (value > rowBest) rowBest = value
    }
    for (let axis = 0; axis < outer; axis++) {
      const marginal = marginals[axis]!
      if (rowBest > marginal[digits[axis]!]!) marginal[digits[axis]!] = rowBest
    }
    for (let axis = outer - 1; axis >= 0 && ++digits[axis]! === addends[axis]!.length; axis--) digits[axis] = 0
  }
  return marginals
}
