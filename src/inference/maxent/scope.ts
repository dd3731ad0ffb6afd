import { queryTable } from '../../model/index.ts'
import { strides } from '../../numeric/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { Answered, FeatureSource } from './answered.ts'

/** Features that look at the same attributes: sparse rows over the cells of these, the last attribute running fastest. */
export interface Scope {
  /** Positions in the universe, ascending. */
  readonly attributes: readonly number[]
  readonly cells: number
  /** The number of its first feature in the problem. */
  readonly first: number
  /** Where the entries of each feature begin, and at last where all of them end. */
  readonly starts: Int32Array
  readonly places: Int32Array
  readonly weights: Float64Array
}

interface Group {
  readonly attributes: readonly number[]
  readonly parts: SparseRows[]
  readonly sources: FeatureSource[]
}
/** Rows one after the other: where each begins, its cells and the values there. */
type SparseRows = Pick<Scope, 'starts' | 'places' | 'weights'>

/** Features that are 0 everywhere are left out. */
export function compileScopes(
  universe: Universe,
  answers: readonly Answered[],
): { readonly scopes: readonly Scope[]; readonly sources: readonly FeatureSource[] } {
  const groups = new Map<string, Group>()
  for (const answer of answers) addFeatures(universe, answer, groups)
  const scopes: Scope[] = []
  const sources: FeatureSource[] = []
  for (const { attributes, parts, sources: own } of groups.values()) {
    const cells = attributes.reduce((n, a) => n * universe.attributes[a]!.size, 1)
    scopes.push({ attributes, cells, first: sources.length, ...joined(parts) })
    for (const source of own) sources.push(source)
  }
  return { scopes, sources }
}

function addFeatures(universe: Universe, answer: Answered, groups: Map<string, Group>): void {
  const { axes, answers, place, weight } = queryTable(answer.query, universe)
  const attributes = axes.toSorted((a, b) => a - b)
  const group: Group = groups.get(attributes.join()) ?? { attributes, parts: [], sources: [] }
  groups.set(attributes.join(), group)
  const cellOf = sortedCells(axes, attributes, universe)
  const scale = weight ? largest(weight) : 1
  const { places: order, starts } = sorted(cellOf.length, answers, place, weight)
  const kept = new Int32Array(answers + 1)
  let rows = 0
  for (let i = 0; i < answers; i++) {
    if (starts[i] === starts[i + 1]) continue
    group.sources.push({ answer, place: i, scale })
    kept[++rows] = starts[i + 1]!
  }
  group.parts.push({
    starts: kept.slice(0, rows + 1),
    places: order.map((cell) => cellOf[cell]!),
    weights: Float64Array.from(order, (cell) => (weight ? weight[cell]! / scale : 1)),
  })
}

/** The cells that count in each answer, side by side. */
function sorted(cells: number, answers: number, place?: Int32Array, weight?: Float64Array) {
  const starts = new Int32Array(answers + 1)
  const isIn = (cell: number) => weight === undefined || weight[cell] !== 0
  for (let cell = 0; cell < cells; cell++) if (isIn(cell)) starts[(place ? place[cell]! : cell) + 1]!++
  for (let i = 0; i < answers; i++) starts[i + 1]! += starts[i]!
  const next = starts.slice()
  const places = new Int32Array(starts[answers]!)
  for (let cell = 0; cell < cells; cell++) if (isIn(cell)) places[next[place ? place[cell]! : cell]!++] = cell
  return { starts, places }
}

function joined(parts: readonly SparseRows[]): SparseRows {
  const rows = parts.reduce((n, { starts }) => n + starts.length - 1, 0)
  const starts = new Int32Array(rows + 1)
  const places = new Int32Array(parts.reduce((n, part) => n + part.places.length, 0))
  const weights = new Float64Array(places.length)
  let [row, at] = [0, 0]
  for (const part of parts) {
    for (let i = 1; i < part.starts.length; i++) starts[++row] = at + part.starts[i]!
    places.set(part.places, at)
    weights.set(part.weights, at)
    at += part.places.length
  }
  return { starts, places, weights }
}

/** The cell over the attributes in ascending order, for every cell over them in the query's order. */
function sortedCells(axes: readonly number[], attributes: readonly number[], universe: Universe): Int32Array {
  const sizes = (set: readonly number[]) => set.map((a) => universe.attributes[a]!.size)
  const apart = strides(sizes(attributes))
  let cells = Int32Array.of(0)
  for (const a of axes) {
    const size = universe.attributes[a]!.size
    const step = apart[attributes.indexOf(a)]!
    const next = new Int32Array(cells.length * size)
    for (let i = 0, at = 0; i < cells.length; i++)
      for (let code = 0; code < size; code++) next[at++] = cells[i]! + code * step
    cells = next
  }
  return cells
}

/** 1 where there is nothing but 0. */
function largest(weights: Float64Array): number {
  let most = 0
  for (let i = 0; i < weights.length; i++) most = Math.max(most, Math.abs(weights[i]!))
  return most || 1
}

/** θ: what the weighted features add up to in every cell of a scope; added to `sums`, where these are given. */
export function potential(
  { cells, first, starts, places, weights }: Scope,
  w: Float64Array,
  sums: Float64Array = new Float64Array(cells),
): Float64Array {
  for (let i = 0; i + 1 < starts.length; i++) {
    const by = w[first + i]!
    if (by !== 0) for (let e = starts[i]!; e < starts[i + 1]!; e++) sums[places[e]!]! += by * weights[e]!
  }
  return sums
}

/** Writes the means of a scope's features under a table of shares. */
export function addMeans({ first, starts, places, weights }: Scope, shares: Float64Array, means: Float64Array): void {
  for (let i = 0; i + 1 < starts.length; i++) {
    let sum = 0
    for (let e = starts[i]!; e < starts[i + 1]!; e++) sum += shares[places[e]!]! * weights[e]!
    means[first + i] = sum
  }
}

/** As `addMeans`, of the features' squares. */
export function addSquares({ first, starts, places, weights }: Scope, shares: Float64Array, means: Float64Array): void {
  for (let i = 0; i + 1 < starts.length; i++) {
    let sum = 0
    for (let e = starts[i]!; e < starts[i + 1]!; e++) sum += shares[places[e]!]! * weights[e]! ** 2
    means[first + i] = sum
  }
}
