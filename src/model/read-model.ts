import { problem, type Universe } from '../schema/index.ts'
import { DenseModel } from './dense/dense-model.ts'
import { FactoredModel, readFactors } from './factored/index.ts'
import { mixtureModelFromJson } from './mixture/index.ts'
import { ProductModel } from './product.ts'
import { readSample, readWeights, SampledModel } from './sampled/sampled-model.ts'
import type { ModelJson, TableModel } from './table-model.ts'

/** How each kind of model is read back. What was written may have been changed since: whatever does not fit throws. */
const readers: { readonly [kind: string]: (json: ModelJson, universe: Universe) => TableModel } = {
  dense: ({ records, cells }, universe) => new DenseModel(universe, records, {}, cellsOver(universe, cells)),
  product: ({ records, shares }, universe) => new ProductModel(universe, records, tablesOver(universe, shares)),
  mixture: (json, universe) => {
    const model = mixtureModelFromJson(json, universe)
    if (!model) throw unreadable('its tables are damaged')
    return model
  },
  sampled: ({ records, sample, weights }, universe) => {
    const rows = readSample(sample, universe)
    const each = rows && readWeights(weights, rows[0]!.length)
    if (!each) throw unreadable('its sample is damaged')
    return new SampledModel(universe, records, rows, each)
  },
  factored: ({ records, factors }, universe) => {
    const tables = readFactors(factors, universe)
    if (!tables) throw unreadable('its factors are damaged')
    // Joined in another order than they were fitted in, they may need a little more room.
    return new FactoredModel(universe, records, { cells: 2 ** 24 }, tables)
  },
}

/** The model that `toJson` described, over the same universe. */
export function readModel(json: unknown, universe: Universe): TableModel {
  const stored = json as ModelJson
  if (typeof stored !== 'object' || stored === null || !Object.hasOwn(readers, String(stored.kind)))
    throw unreadable('it is of a kind that this version does not know')
  if (!(Number.isFinite(stored.records) && stored.records > 0)) throw unreadable('it has no records')
  return readers[stored.kind]!(stored, universe)
}

/** A table per attribute, of numbers that are not negative. */
function tablesOver({ attributes }: Universe, tables: unknown): number[][] {
  const isTable = (table: unknown, size: number) =>
    Array.isArray(table) &&
    table.length === size &&
    table.every((value) => Number.isFinite(value) && value >= 0) &&
    table.some((value) => value > 0)
  if (
    !Array.isArray(tables) ||
    tables.length !== attributes.length ||
    !attributes.every(({ size }, i) => isTable(tables[i], size))
  )
    throw unreadable('its tables are damaged')
  return tables
}

/** A number per cell, none negative. */
function cellsOver({ size }: Universe, cells: unknown): Float64Array {
  const isTable = Array.isArray(cells) && BigInt(cells.length) === size
  if (!isTable || !cells.every((v) => Number.isFinite(v) && v >= 0) || !cells.some((v) => v > 0))
    throw unreadable('its cells are damaged')
  return Float64Array.from(cells)
}

const unreadable = (why: string) =>
  problem('usage', `the model cannot be read: ${why}`, 'Make a new one with: reticent synth.')
