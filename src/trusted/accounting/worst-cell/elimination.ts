import { strides } from '../../../numeric/index.ts'
import { addUnits, type Units } from '../units.ts'
import type { Field } from './field.ts'
import { gather } from './sum-tables.ts'

/** Elimination gives up beyond this many entries in one table, and this many additions in all. */
const mostEntries = 2 ** 20
const mostWork = 2 ** 22

/** A function of a few attributes: values[Σ offsets[i][class of scope[i]]]. */
interface Summand {
  readonly scope: readonly number[]
  readonly offsets: readonly Int32Array[]
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
  let summands: Summand[] = field.nodes.map(({ table, classOf }) => {
    const step = strides(table.partitions.map((p) => p.count))
    return {
      scope: table.attributes,
      offsets: classOf.map((classes, axis) => classes.map((c) => c * step[axis]!)),
      values: table.units,
    }
  })
  let constant = field.constant
  for (const step of steps) {
    const joined = summands.filter((s) => s.scope.includes(step.attribute))
    const result = maximiseAway(step, joined, field)
    summands = summands.filter((s) => !s.scope.includes(step.attribute))
    if (step.rest.length === 0) constant += result.values[0]!
    else summands.push(result)
  }
  return constant
}

/** An order that takes the attribute with the smallest table first; undefined when that is still too large. */
function plan(field: Field): Step[] | undefined {
  let scopes = field.nodes.map((node) => node.table.attributes)
  const left = new Set(scopes.flat())
  const steps: Step[] = []
  let work = 0
  while (left.size > 0) {
    let cheapest: { step: Step; entries: number; tables: number } | undefined
    for (const attribute of left) {
      const joined = scopes.filter((s) => s.includes(attribute))
      const rest = [...new Set(joined.flat())].filter((a) => a !== attribute).sort((a, b) => a - b)
      const entries = rest.reduce((n, a) => n * field.common[a]!.count, field.common[attribute]!.count)
      if (!cheapest || entries < cheapest.entries)
        cheapest = { step: { attribute, rest }, entries, tables: joined.length }
    }
    const { step, entries, tables } = cheapest!
    work += entries * tables
    if (entries > mostEntries || work > mostWork) return undefined
    scopes = [...scopes.filter((s) => !s.includes(step.attribute)), step.rest]
    left.delete(step.attribute)
    steps.push(step)
  }
  return steps
}

function maximiseAway({ attribute, rest }: Step, joined: readonly Summand[], field: Field): Summand {
  const sizes = rest.map((a) => field.common[a]!.count)
  const nowhere = sizes.map((size) => new Int32Array(size))
  const values = new Float64Array(sizes.reduce((n, size) => n * size, 1)).fill(Number.NEGATIVE_INFINITY)
  const places = joined.map((s) =>
    gather(
      sizes,
      rest.map((a, i) => s.offsets[s.scope.indexOf(a)] ?? nowhere[i]!),
    ),
  )
  const sums = new Float64Array(values.length)
  for (let c = 0; c < field.common[attribute]!.count; c++) {
    sums.fill(0)
    for (const [i, s] of joined.entries())
      addFrom(s.values, places[i]!, s.offsets[s.scope.indexOf(attribute)]![c]!, sums)
    raiseTo(sums, values)
  }
  const step = strides(sizes)
  return {
    scope: rest,
    offsets: sizes.map((size, i) => Int32Array.from({ length: size }, (_, c) => c * step[i]!)),
    values,
  }
}

// The loops over entries are functions of their own, over typed arrays alone: small, and the same whatever calls them, so that
// the compiler makes them fast once. Inside a large function it began again with every new kind of list, for far longer than they run.

/** sums[i] += values[places[i] + offset] */
function addFrom(values: Float64Array, places: Int32Array, offset: number, sums: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] = sums[i]! + values[places[i]! + offset]!
}

function raiseTo(least: Float64Array, values: Float64Array): void {
  for (let i = 0; i < values.length; i++) if (least[i]! > values[i]!) values[i] = least[i]!
}
