import type { Universe } from '../../../schema/index.ts'
import { addUnits, type Units } from '../units.ts'
import type { CostTable } from './cost-table.ts'
import { classesIn, type Partition, refine, whole } from './partition.ts'
import { sumTables } from './sum-tables.ts'

/** Charges over one attribute set are summed in one table up to this size; then another is begun. */
const limit = 2 ** 16
/** Charges that come together are summed up to this size before. */
const fewEntries = 2 ** 10

/** A table of costs and its dual messages, one per attribute of it, over that attribute's common classes. */
export interface Node {
  readonly table: CostTable
  /** The largest entry. */
  readonly most: Units
  /** Per axis: the table's class of each common class. */
  readonly classOf: Int32Array[]
  /** Per axis: what the table hands over to that attribute; integers of either sign. */
  readonly message: Float64Array[]
  /** At least the maximum of the table less what it hands over. */
  rest: Units
}

/**
 * All charges as a sum of tables, each over a few attributes: cost(t) = constant + Σ tables. The messages change nothing
 * in that sum, for what a table hands over its attribute receives, so
 * `constant + Σ rest + Σ over attributes of max received` is never below the worst cell, whatever the messages are.
 */
export interface Field {
  readonly constant: Units
  /** Per attribute: the classes on which all tables agree. */
  readonly common: Partition[]
  /** Per attribute: the sum of the messages to it, over its common classes. */
  readonly received: Float64Array[]
  readonly nodes: Node[]
  /** Nodes whose table the latest charges changed. */
  readonly changed: readonly Node[]
}

export const emptyField = (u: Universe): Field => ({
  constant: 0,
  common: u.attributes.map(() => whole),
  received: u.attributes.map(() => new Float64Array(1)),
  nodes: [],
  changed: [],
})

function maximum(values: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) if (values[i]! > most) most = values[i]!
  return most
}

function isZero(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) return false
  return true
}

const spread = <T extends Int32Array | Float64Array>(values: T, from: Int32Array): T => {
  const wide = new (values.constructor as new (length: number) => T)(from.length)
  for (let i = 0; i < from.length; i++) wide[i] = values[from[i]!]!
  return wide
}

/** A field with more charges in it. The old one stays as it is; its messages are carried over. */
export function extendField(field: Field, tables: readonly CostTable[]): Field {
  const constant = tables
    .filter((t) => t.attributes.length === 0)
    .reduce((sum, t) => addUnits(sum, t.units[0]!), field.constant)
  const nodes = field.nodes.map((n) => ({ ...n, classOf: [...n.classOf], message: n.message.map((m) => m.slice()) }))
  const next = { constant, common: [...field.common], received: field.received.map((r) => r.slice()), nodes }
  const changed = new Set<number>()
  for (const table of summed(tables)) changed.add(place(next, table))
  for (const i of changed) connect(next, nodes[i]!)
  for (const i of changed) nodes[i]!.rest = remaining(nodes[i]!)
  return { ...next, changed: [...changed].map((i) => nodes[i]!) }
}

/**
 * The tables over some attributes, those over the same ones in one as long as it has room: they are small by themselves, and what they
 * are added to is not.
 */
function summed(tables: readonly CostTable[]): CostTable[] {
  const sums: CostTable[] = []
  for (const list of Map.groupBy(tables, ({ attributes }) => attributes.join()).values()) {
    let sum = list[0]!
    for (const table of list.slice(1)) {
      const both = sumTables(sum, table, fewEntries)
      if (!both) sums.push(sum)
      sum = both ?? table
    }
    if (sum.attributes.length > 0) sums.push(sum)
  }
  return sums
}

/** Adds a table to a node that has its attributes and room, or makes a new node; its index. */
function place(field: Pick<Field, 'nodes' | 'common'>, table: CostTable): number {
  const { nodes, common } = field
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i]!
    if (!table.attributes.every((a) => node.table.attributes.includes(a))) continue
    const sum = sumTables(node.table, table, limit)
    if (!sum) continue
    nodes[i] = { ...node, table: sum, most: maximum(sum.units) }
    return i
  }
  const sizes = table.attributes.map((a) => common[a]!.count)
  return (
    nodes.push({
      table,
      most: maximum(table.units),
      classOf: sizes.map((size) => new Int32Array(size)),
      message: sizes.map((size) => new Float64Array(size)),
      rest: 0,
    }) - 1
  )
}

/** Splits the common classes where the node's table does, in every vector that lies over them. */
function connect(field: Pick<Field, 'nodes' | 'common' | 'received'>, node: Node): void {
  for (const [axis, a] of node.table.attributes.entries()) {
    const { partition, first, second } = refine(field.common[a]!, node.table.partitions[axis]!)
    if (partition !== field.common[a]) {
      field.common[a] = partition
      field.received[a] = spread(field.received[a]!, first)
      for (const other of field.nodes) {
        const at = other.table.attributes.indexOf(a)
        if (at < 0) continue
        other.classOf[at] = spread(other.classOf[at]!, first)
        other.message[at] = spread(other.message[at]!, first)
      }
    }
    node.classOf[axis] = second
  }
}

/** The exact maximum of the table less its messages; Infinity where sums could leave the exact integers. */
function remaining(node: Node): Units {
  if (node.message.every(isZero)) return node.most
  let size = node.most
  const least = node.message.map((message, axis) => {
    const lowest = new Float64Array(node.table.partitions[axis]!.count).fill(Number.POSITIVE_INFINITY)
    let largest = 0
    for (let c = 0; c < message.length; c++) {
      const own = node.classOf[axis]![c]!
      if (message[c]! < lowest[own]!) lowest[own] = message[c]!
      largest = Math.max(largest, Math.abs(message[c]!))
    }
    size = addUnits(size, largest)
    return lowest
  })
  if (size === Number.POSITIVE_INFINITY) return size
  const handed = least.reduce((sums, lowest) => {
    const next = new Float64Array(sums.length * lowest.length)
    for (let i = 0, at = 0; i < sums.length; i++)
      for (let c = 0; c < lowest.length; c++) next[at++] = sums[i]! + lowest[c]!
    return next
  }, new Float64Array(1))
  return node.table.units.reduce((best, units, i) => Math.max(best, units - handed[i]!), Number.NEGATIVE_INFINITY)
}

/** The field's bound on the worst cell; Infinity where it does not fit into exact integers. */
export function fieldBound(field: Field): Units {
  const rest = field.nodes.reduce((sum, node) => addUnits(sum, node.rest), field.constant)
  return field.received.reduce((sum, values) => addUnits(sum, maximum(values)), rest)
}

/**
 * The field with the messages of one that extends it. Where that one has split a class, the largest message of the parts
 * is taken: any would do.
 */
export function withMessages(field: Field, longer: Field): Field {
  const classes = longer.common.map((p, a) => classesIn(p, field.common[a]!)!)
  const received = field.received.map((r) => new Float64Array(r.length))
  const nodes = field.nodes.map((node, i) => {
    const message = node.table.attributes.map((a, axis) => {
      const merged = new Float64Array(field.common[a]!.count).fill(Number.NEGATIVE_INFINITY)
      longer.nodes[i]!.message[axis]!.forEach((v, c) => {
        merged[classes[a]![c]!] = Math.max(merged[classes[a]![c]!]!, v)
      })
      for (let c = 0; c < merged.length; c++) received[a]![c] = addUnits(received[a]![c]!, merged[c]!)
      return merged
    })
    const next = { ...node, message }
    next.rest = remaining(next)
    return next
  })
  return { ...field, received, nodes, changed: [] }
}
