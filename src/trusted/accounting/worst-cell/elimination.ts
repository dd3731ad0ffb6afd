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

/** An attribute to maximise away, and the attributes that the result then depends on. */
interface Step {
  readonly attribute: number
  readonly rest: readonly number[]
}

/**
 * The maximum of the field's sum over all cells, exactly, by maximising one attribute away after another; undefined
 * when the tables in between would be too large, or the sums beyond exact integers.
 */
export function eliminate(field: Field): Units | undefined {
  if (field.nodes.reduce((sum, node) => addUnits(sum, node.most), field.constant) === Number.POSITIVE_INFINITY)
    return undefined
  const steps = plan(field)
  if (!steps) return undefined
  let summands: Summand[] = field.nodes.map(({ table, classOf }) => ({
    scope: table.attributes,
    sizes: table.partitions.map((p) => p.count),
    classOf,
    values: table.units,
  }))
  let constant = field.constant
  for (const step of steps) {
    const joined = summands.filter((s) => s.scope.includes(step.attribute))
    const result = joined.length === 1 ? withoutAxis(step, joined[0]!) : maximiseAway(step, joined, field)
    summands = summands.filter((s) => !s.scope.includes(step.attribute))
    if (step.rest.length === 0) constant += result.values[0]!
    else summands.push(result)
  }
  return constant
}

/** An order that takes the attribute with the smallest table first; undefined when that is still too large. */
function plan(field: Field): Step[] | undefined {
  let scopes = field.nodes.map((node) => node.table.attributes)
  const stepFor = (attribute: number) => {
    const joined = scopes.filter((s) => s.includes(attribute))
    const rest = new Set(joined.flat())
    rest.delete(attribute)
    let entries = field.common[attribute]!.count
    for (const a of rest) entries *= field.common[a]!.count
    return { attribute, rest: [...rest], entries, tables: joined.length }
  }
  const left = new Map(scopes.flat().map((a) => [a, undefined as ReturnType<typeof stepFor> | undefined]))
  const steps: Step[] = []
  let work = 0
  while (left.size > 0) {
    let cheapest: ReturnType<typeof stepFor> | undefined
    for (const [attribute, known] of left) {
      const step = known ?? stepFor(attribute)
      if (!known) left.set(attribute, step)
      if (!cheapest || step.entries < cheapest.entries) cheapest = step
    }
    const { attribute, rest, entries, tables } = cheapest!
    work += entries * tables
    if (entries > mostEntries || work > mostWork) return undefined
    rest.sort((a, b) => a - b)
    scopes = [...scopes.filter((s) => !s.includes(attribute)), rest]
    left.delete(attribute)
    for (const a of rest) left.set(a, undefined)
    steps.push(cheapest!)
  }
  return steps
}

/** Of one table alone, on its own classes. */
function withoutAxis({ attribute, rest }: Step, { scope, sizes, classOf, values }: Summand): Summand {
  const axis = scope.indexOf(attribute)
  const inner = sizes.slice(axis + 1).reduce((n, size) => n * size, 1)
  return {
    scope: rest,
    sizes: sizes.toSpliced(axis, 1),
    classOf: classOf.toSpliced(axis, 1),
    values: mostAlong(values, sizes[axis]!, inner),
  }
}

function maximiseAway({ attribute, rest }: Step, joined: readonly Summand[], field: Field): Summand {
  const scope = [...rest, attribute]
  const common = scope.map((a) => numbered(field.common[a]!.count))
  const sums = new Float64Array(common.reduce((n, { length }) => n * length, 1))
  for (const s of joined) {
    const offsets = offsetsOf(s.sizes, s.classOf)
    addFrom(s.values, gather(scope.map((a, i) => offsets[s.scope.indexOf(a)] ?? new Int32Array(common[i]!.length))), sums)
  }
  const classOf = common.slice(0, -1)
  return { scope: rest, sizes: classOf.map((c) => c.length), classOf, values: mostAlong(sums, common.at(-1)!.length, 1) }
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
