import type { TableModel } from '../../model/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import { type MeasuredBesideModel, summedOver } from './measured-tables.ts'
import type { PairVariations } from './method.ts'

/** About how far the model's table of two attributes is from the private one. */
export interface ExpectedPairError {
  readonly attributes: readonly [string, string]
  /** A total variation, from 0 to 1; undefined where the two were never measured together. */
  readonly variation?: number
  /** Whether only groups of values were measured: of what merging them hides, no more than chance is in it. */
  readonly isCoarse?: true
}

/**
 * The error of the repeated release, if it was repeated. Otherwise estimated from noise, model and sampling alone. A
 * cell that was measured with deviation σ is off by about σ√(2/π) or, as no count is negative, by no more than twice
 * what the model expects there; where the model is further from the answers than noise explains, by that too. Inside a
 * group of values that was measured as one, the private counts are at least as uneven as draws from the model would be.
 * Fitting many answers at once does better than each of them; structure inside groups adds to the error.
 */
export function expectedPairErrors(
  tables: readonly MeasuredBesideModel[],
  model: TableModel,
  rehearsed?: PairVariations,
): ExpectedPairError[] {
  const names = model.universe.attributes.filter(({ size }) => size > 1).map(({ name }) => name)
  return names.flatMap((a, i) => names.slice(i + 1).map((b) => expectedFor([a, b], tables, model, rehearsed)))
}

function expectedFor(
  attributes: readonly [string, string],
  tables: readonly MeasuredBesideModel[],
  model: TableModel,
  rehearsed: PairVariations | undefined,
): ExpectedPairError {
  const { records, universe } = model
  const found = tables.flatMap((table) => {
    const pair = summedOver(table, attributes, universe)
    return pair
      ? [{ variation: variationOf(pair, records), lost: unexplained(pair, records), isCoarse: isCoarse(pair.query) }]
      : []
  })
  const [best] = found.sort((x, y) => Number(x.isCoarse) - Number(y.isCoarse) || x.variation - y.variation)
  if (!best) return { attributes }
  const places = [universe.index.get(attributes[0])!, universe.index.get(attributes[1])!] as const
  const again = rehearsed?.(places)
  if (again !== undefined)
    return {
      attributes,
      variation: Math.min(1, Math.hypot(again, best.lost)),
      ...(best.isCoarse && { isCoarse: true }),
    }
  if (!best.isCoarse) return { attributes, variation: best.variation }
  const variation = Math.min(1, best.variation + chanceIn(model, places))
  return { attributes, variation, isCoarse: true }
}

const isCoarse = ({ by }: LinearQuery): boolean => by.some(({ groups }) => groups)

const meanOfAbsolute = Math.sqrt(2 / Math.PI)

/** A table of more cells is not put together: its counts are taken to be products, of the commonest values one by one. */
const [mostCells, mostLevels] = [2 ** 20, 1000]

/** How far draws of all records from the model are from it, in the table of two attributes: a total variation. */
function chanceIn(model: TableModel, places: readonly number[]): number {
  const { records } = model
  const cells = places.reduce((product, place) => product * model.universe.attributes[place]!.size, 1)
  if (cells <= mostCells) return model.marginal(places).reduce((sum, count) => sum + chanceOf(count), 0) / (2 * records)
  const [down, across] = places.map((place) => levelsOf(model.marginal([place])))
  let sum = 0
  for (const row of down!)
    for (const column of across!) sum += row.times * column.times * chanceOf((row.count * column.count) / records)
  return sum / (2 * records)
}

/** The mean of |draw - expected|, about. */
const chanceOf = (count: number): number =>
  Math.min(2 * Math.max(0, count), Math.sqrt(Math.max(0, count)) * meanOfAbsolute)

/** The largest counts one by one, and the others by their mean. */
function levelsOf(counts: Float64Array): { readonly count: number; readonly times: number }[] {
  const sorted = counts.toSorted().reverse()
  const rest = sorted.subarray(mostLevels)
  const mean = rest.reduce((sum, count) => sum + count, 0) / (rest.length || 1)
  return [
    ...Array.from(sorted.subarray(0, mostLevels), (count) => ({ count, times: 1 })),
    { count: mean, times: rest.length },
  ]
}

function variationOf(pair: MeasuredBesideModel, records: number): number {
  const off = meanOfAbsolute * pair.deviation
  const noise = pair.model.reduce((sum, count) => sum + Math.min(off, 2 * Math.max(0, count)), 0)
  return Math.min(1, noise / (2 * records) + unexplained(pair, records))
}

/** How far the model is from the answers beyond what noise explains: what it could not follow. */
function unexplained({ model, deviation, misfit }: MeasuredBesideModel, records: number): number {
  // Chance alone makes misfit² differ from 1 by √(2/cells): only what is beyond twice that counts.
  const beyond = Math.max(0, misfit ** 2 - 1 - 2 * Math.sqrt(2 / model.length))
  return (model.length * meanOfAbsolute * deviation * Math.sqrt(beyond)) / (2 * records)
}
