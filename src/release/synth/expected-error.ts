import type { Universe } from '../../schema/index.ts'
import { type MeasuredBesideModel, summedOver } from './measured-tables.ts'

/** About how far the model's table of two attributes is from the private one. */
export interface ExpectedPairError {
  readonly attributes: readonly [string, string]
  /** A total variation, from 0 to 1; undefined where the two were never measured together. */
  readonly variation?: number
  /** Whether only groups of values were measured: what merging them hides is not in it. */
  readonly isCoarse?: true
}

/**
 * From noise and model alone. A cell that was measured with deviation σ is off by about σ√(2/π) or, as no count is
 * negative, by no more than twice what the model expects there; where the model is further from the answers than noise
 * explains, by that too. Fitting many answers at once does better than each of them: this is rather too high.
 */
export function expectedPairErrors(
  tables: readonly MeasuredBesideModel[],
  records: number,
  universe: Universe,
): ExpectedPairError[] {
  const names = universe.attributes.filter(({ size }) => size > 1).map(({ name }) => name)
  return names.flatMap((a, i) => names.slice(i + 1).map((b) => expectedFor([a, b], tables, records, universe)))
}

function expectedFor(
  attributes: readonly [string, string],
  tables: readonly MeasuredBesideModel[],
  records: number,
  universe: Universe,
): ExpectedPairError {
  const found = tables.flatMap((table) => {
    const pair = summedOver(table, attributes, universe)
    return pair ? [{ variation: variationOf(pair, records), isCoarse: pair.query.by.some((g) => g.groups) }] : []
  })
  const [best] = found.sort((x, y) => Number(x.isCoarse) - Number(y.isCoarse) || x.variation - y.variation)
  if (!best) return { attributes }
  return { attributes, variation: best.variation, ...(best.isCoarse && { isCoarse: true }) }
}

const meanOfAbsolute = Math.sqrt(2 / Math.PI)

function variationOf({ model, deviation, misfit }: MeasuredBesideModel, records: number): number {
  const off = meanOfAbsolute * deviation
  const noise = model.reduce((sum, count) => sum + Math.min(off, 2 * Math.max(0, count)), 0)
  // Chance alone makes misfit² differ from 1 by √(2/cells): only what is beyond twice that counts.
  const beyond = Math.max(0, misfit ** 2 - 1 - 2 * Math.sqrt(2 / model.length))
  return Math.min(1, (noise + model.length * off * Math.sqrt(beyond)) / (2 * records))
}
