import { shapeOf } from '../blocks/column-key.ts'
import { type Column, stepsOf } from '../column.ts'
import type { Shapes, Weights, WeightTerm } from '../compile.ts'
import { kept } from '../kept.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'

/** Answers of one measurement by groups of one attribute that hold every code once; all else is the same for all of them. */
export interface CoreTable {
  readonly id: string
  /** The attribute of the groups. */
  readonly place: number
  /** Group by group: what it is, and its noisy number. */
  readonly groups: ReadonlyMap<string, ScalarAnswer>
  /** Equal for tables with the same groups. */
  readonly axis: string
  /** What the groups have in common, which is their sum. */
  readonly common: Weights
}

/** What the core is made of. Nothing but a table's own kind depends on the attribute of its groups. */
export interface CoreParts {
  readonly tables: readonly CoreTable[]
  readonly others: readonly ScalarAnswer[]
}

/** Reads answers as tables where they are, and as others where something else depends on the attribute of their groups. */
export function corePartsOf(core: readonly ScalarAnswer[], shapes: Shapes): CoreParts {
  let tables: CoreTable[] = []
  const others: ScalarAnswer[] = []
  for (const list of Map.groupBy(core, ({ id }) => id).values()) {
    const table = tableOf(list, shapes)
    if (table) tables.push(table)
    else others.push(...list)
  }
  for (;;) {
    const blocked = mixedPlaces(tables)
    for (const { weights } of others) addPlaces(weights, blocked)
    const { apart = [], not = [] } = Object.groupBy(tables, ({ place }) => (blocked.has(place) ? 'not' : 'apart'))
    if (not.length === 0) return { tables, others }
    for (const { groups } of not) others.push(...groups.values())
    tables = apart
  }
}

export const placesOf = ({ terms }: Weights): number[] => terms.flatMap(({ attributes }) => attributes)

/** Attributes that tables group in different ways, or depend on beside their groups. */
function mixedPlaces(tables: readonly CoreTable[]): Set<number> {
  const axes = new Map<number, string>()
  const mixed = new Set<number>()
  for (const { place, axis, common } of tables) {
    if (kept(axes, place, () => axis) !== axis) mixed.add(place)
    addPlaces(common, mixed)
  }
  return mixed
}

function addPlaces({ terms }: Weights, places: Set<number>): void {
  for (const { attributes } of terms) for (const place of attributes) places.add(place)
}

/** Read once: a history is looked at again with every answer that comes. */
const read = new WeakMap<ScalarAnswer, { readonly length: number; readonly table: CoreTable | undefined }>()

function tableOf(list: readonly ScalarAnswer[], shapes: Shapes): CoreTable | undefined {
  if (list.length === 1) return undefined
  const known = read.get(list[0]!)
  if (known?.length === list.length) return known.table
  const table = readTable(list, shapes)
  read.set(list[0]!, { length: list.length, table })
  return table
}

function readTable(list: readonly ScalarAnswer[], shapes: Shapes): CoreTable | undefined {
  const [first, second] = list
  if (!list.every(({ parts, weights, variance }) => isPlain(parts, weights) && variance === first!.variance))
    return undefined
  const [one, other] = [first!, second!].map(({ weights }) => weights.terms[0]!) as [WeightTerm, WeightTerm]
  const axis = one.columns.findIndex((column, i) => !isSame(column, other.columns[i]))
  const terms = list.map(({ weights }) => weights.terms[0]!)
  if (axis < 0 || !terms.every((term) => differsAlong(axis, term, one))) return undefined
  const columns = terms.map((term) => term.columns[axis]!)
  if (!areGroups(columns)) return undefined
  const groups = new Map(columns.map((column, i) => [shapeOf(column).text, list[i]!]))
  const [attributes, left] = [one.attributes.toSpliced(axis, 1), one.columns.toSpliced(axis, 1)]
  const term = { coefficient: one.coefficient, attributes, columns: left, shape: shapes.of(attributes) }
  return {
    id: first!.id,
    place: one.attributes[axis]!,
    groups,
    axis: [...groups.keys()].sort().join(';'),
    common: { terms: [term], step: first!.weights.step },
  }
}

const isPlain = (parts: ScalarAnswer['parts'], { terms }: Weights): boolean => !parts && terms.length === 1

const isSame = (a: Column, b: Column | undefined): boolean =>
  b !== undefined && shapeOf(a).text === shapeOf(b).text && shapeOf(a).times === shapeOf(b).times

const differsAlong = (axis: number, term: WeightTerm, first: WeightTerm): boolean =>
  term.coefficient === first.coefficient &&
  term.attributes.join() === first.attributes.join() &&
  term.columns.every((column, i) => i === axis || isSame(column, first.columns[i]))

/** Whether these are sets of codes, and each code is in one of them: 1 at every code, and so one step at the first. */
function areGroups(columns: readonly Column[]): boolean {
  if (!columns.every(({ interval, codes }) => interval || codes)) return false
  const sums = new Map<number, number>()
  for (const column of columns) {
    const { codes, steps } = stepsOf(column)
    for (const [k, code] of codes.entries()) sums.set(code, (sums.get(code) ?? 0) + steps[k]!)
  }
  return sums.entries().every(([code, sum]) => sum === (code === 0 ? 1 : 0))
}
