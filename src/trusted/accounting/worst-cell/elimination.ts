import { addUnits, type Units } from '../units.ts'
import type { Field } from './field.ts'
import { numbered } from './partition.ts'
import { gather, offsetsOf } from './sum-tables.ts'

/** Elimination gives up beyond this many entries in one table, and this many additions in all. */
const mostEntries = 2 ** 20
const mostWork = 2 ** 22

/** A table over classes of a few attributes, the last running fastest. */
interface Summand {
  readonly scope: readonly number[]
  readonly sizes: readonly number[]
  /** Per axis: the table's class of each common class. */
  readonly classOf: readonly Int32Array[]
  readonly values: Float64Array
}

/**
 * The maximum of the field's sum over all cells, exactly, by maximising one attribute away after another; undefined
 * when the tables in between would be too large, or the sums beyond exact integers.
 */
export function eliminate(field: Field): Units | undefined {
  if (field.nodes.reduce((sum, node) => addUnits(sum, node.most), field.constant) === Number.POSITIVE_INFINITY)
    return undefined
  const order = plan(field)
  if (!order) return undefined
  let summands: Summand[] = field.nodes.map(({ table, classOf }) => ({
    scope: table.attributes,
    sizes: table.partitions.map((p) => p.count),
    classOf,
    values: table.units,
  }))
  // Those of one table alone come first: that makes no table larger than was planned.
  const isAlone = (a: number) => field.nodes.filter(({ table }) => table.attributes.includes(a)).length === 1
  const [alone, shared] = [order.filter(isAlone), order.filter((a) => !isAlone(a))]
  for (const attribute of [...alone, ...shared]) {
    const joined = summands.filter((s) => s.scope.includes(attribute))
    summands = summands.filter((s) => !s.scope.includes(attribute))
    summands.push(maximiseAway(attribute, joined.length === 1 ? joined[0]! : sumOf(joined, field)))
  }
  return summands.reduce((sum, { values }) => sum + values[0]!, field.constant)
}

/** An order that takes the attribute with the smallest table first; undefined when that is still too large. */
function plan(field: Field): number[] | undefined {
  let scopes = field.nodes.map((node) => node.table.attributes)
  const stepFor = (attribute: number) => {
    const joined = scopes.filter((s) => s.includes(attribute))
    const scope = new Set(joined.flat())
    let entries = 1
    for (const a of scope) entries *= field.common[a]!.count
    return { attribute, scope, entries, tables: joined.length }
  }
  const left = new Map(scopes.flat().map((a) => [a, undefined as ReturnType<typeof stepFor> | undefined]))
  const order: number[] = []
  let work = 0
  while (left.size > 0) {
    let cheapest: ReturnType<typeof stepFor> | undefined
    for (const [attribute, known] of left) {
      const step = known ?? stepFor(attribute)
      if (!known) left.set(attribute, step)
      if (!cheapest || step.entries < cheapest.entries) cheapest = step
    }
    const { attribute, scope, entries, tables } = cheapest!
    work += entries * tables
    if (entries > mostEntries || work > mostWork) return undefined
    scope.delete(attribute)
    left.delete(attribute)
    for (const a of scope) left.set(a, undefined)
    scopes = [...scopes.filter((s) => !s.includes(attribute)), [...scope]]
    order.push(attribute)
  }
  return order
}

/** On the common classes of all their attributes. */
function sumOf(joined: readonly Summand[], { common }: Field): Summand {
  const scope = [...new Set(joined.flatMap((s) => s.scope))]
  const classOf = scope.map((a) => numbered(common[a]!.count))
  const sizes = classOf.map((c) => c.length)
  const values = new Float64Array(sizes.reduce((n, size) => n * size, 1))
  for (const s of joined) {
    const offsets = offsetsOf(s.sizes, s.classOf)
    addFrom(s.values, gather(scope.map((a, i) => offsets[s.scope.indexOf(a)] ?? new Int32Array(sizes[i]!))), values)
  }
  return { scope, sizes, classOf, values }
}

function maximiseAway(attribute: number, { scope, sizes, classOf, values }: Summand): Summand {
  const axis = scope.indexOf(attribute)
  const inner = sizes.slice(axis + 1).reduce((n, size) => n * size, 1)
  return {
    scope: scope.toSpliced(axis, 1),
    sizes: sizes.toSpliced(axis, 1),
    classOf: classOf.toSpliced(axis, 1),
    values: mostAlong(values, sizes[axis]!, inner),
  }
}

// The loops over entries are functions of their own, over typed arrays alone: small, and the same whatever calls them, so that
// the compiler makes them fast once. Inside a large function it began again with every new kind of list, for far longer than they run.

/** sums[i] += values[places[i]] */
function addFrom(values: Float64Array, places: Int32Array, sums: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] = sums[i]! + values[places[i]!]!
}

/** The maxima along one axis of a table: it has `count` classes, and `inner` entries lie between two of them. */
function mostAlong(values: Float64Array, count: number, inner: number): Float64Array {
  const most = new Float64Array(values.length / count)
  for (let at = 0; at < most.length; at++) {
    let from = at + (at - (at % inner)) * (count - 1)
    let best = values[from]!
    for (let c = 1; c < count; c++) {
      from += inner
      if (values[from]! > best) best = values[from]!
    }
    most[at] = best
  }
  return most
}
