import { fitMixture, type GroupedMarginal, MixtureModel, type Rows } from '../../../model/index.ts'
import { standardNormal } from '../../../numeric/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { PairVariations } from '../method.ts'
import { hiddenBelow } from './hidden.ts'
import { KnownTables } from './known.ts'
import { likelyCounts } from './one-way.ts'
import { type Measured, problemOf } from './problem.ts'
import { severalValued } from './shares.ts'

/** Beyond so many looks at a value, or cells of one table, the rehearsal would take longer than the release. */
const mostLooks = 2 ** 29
const mostCells = 2 ** 20
/** Values of made-up records beyond which memory would not hold them beside the release. */
const mostValues = 2 ** 26
/** An ensemble of two is nearly as good as one of eight, and takes a quarter of the time. */
const members = 2

/**
 * The release once more, on a table that is known: records drawn from its own model are measured with the same noise, a
 * model is fitted to that, and compared with them. What noise, chance, merging and fitting did there they did to the private
 * table too. What the first model has lost inside of groups is told from what wider ones would lose. Costs nothing: it looks at no
 * private number.
 */
export async function rehearse(
  model: MixtureModel,
  measured: Measured,
  { random, isPure }: { readonly random: () => number; readonly isPure: boolean },
): Promise<PairVariations> {
  const { universe } = model
  const several = severalValued(universe)
  const count = Math.max(1, Math.round(model.records))
  if (measured.pairs.length + measured.known.complete.length === 0) return () => undefined
  if (count * several.length ** 2 > 2 * mostLooks || count * universe.attributes.length > mostValues)
    return () => undefined
  const rows = model.rows(count, random, 'independent')
  const noise = isPure ? laplace(random) : gaussian(random)
  const again = (marginal: GroupedMarginal) => measuredAgain(marginal, rows, noise)
  const { complete, others } = measured.known
  const known = new KnownTables([...complete, ...others].map(again), universe)
  const oneWay = measured.oneWay.map(again)
  const counts = likelyCounts(universe, measured.records, oneWay, known)
  const problem = problemOf(universe, { ...measured, counts, oneWay, pairs: measured.pairs.map(again), known })
  const fitted = new MixtureModel(universe, measured.records, await fitMixture(problem, { random, members }))
  return (pair) => {
    const off = variationBetween(pair, rows, fitted, universe)
    return off === undefined ? undefined : off + hiddenIn(pair, model, fitted, measured)
  }
}

/** Where scores chose the groups, narrower ones had shown little more: about so much is hidden of what it would be. */
const leftByScores = 0.3

/** What the groups of a pair hide of the private table, about. The rehearsal's own model tells what noise adds to such a difference. */
function hiddenIn(
  attributes: readonly [number, number],
  model: MixtureModel,
  fitted: MixtureModel,
  { pairs, levels, isScored }: Measured,
): number {
  const bought = pairs.find(({ axes }) => attributes.every((a, side) => axes[side]!.attribute === a))
  if (!bought) return 0
  const pair = { attributes, groups: [bought.axes[0]!.groups, bought.axes[1]!.groups] as const }
  const [once, twice] = [hiddenBelow(model, pair, levels), hiddenBelow(fitted, pair, levels)]
  return (isScored ? leftByScores : 1) * Math.max(0, 2 * once - twice)
}

/** Counts of these records instead of the private ones, with noise of the same variance. */
function measuredAgain({ axes, variance }: GroupedMarginal, rows: Rows, noise: () => number): GroupedMarginal {
  const cells = axes.reduce((product, { groups }) => product * groups.count, 1)
  const values = new Float64Array(cells)
  const codes = axes.map(({ attribute }) => rows[attribute]!)
  for (let r = 0; r < codes[0]!.length; r++) {
    let cell = 0
    for (let axis = 0; axis < axes.length && cell >= 0; axis++) {
      const group = axes[axis]!.groups.groupOf[codes[axis]![r]!]!
      cell = group < 0 ? -1 : cell * axes[axis]!.groups.count + group
    }
    if (cell >= 0) values[cell]!++
  }
  for (let cell = 0; cell < cells; cell++)
    values[cell]! += noise() * Math.sqrt(typeof variance === 'number' ? variance : variance[cell]!)
  return { axes, values, variance }
}

function variationBetween(
  pair: readonly [number, number],
  rows: Rows,
  model: MixtureModel,
  { attributes }: Universe,
): number | undefined {
  const [height, width] = pair.map((a) => attributes[a]!.size)
  if (height! * width! > mostCells) return undefined
  const [down, across] = pair.map((a) => rows[a]!)
  const differences = model.marginal(pair).map((expected) => expected / model.records)
  for (let r = 0; r < down!.length; r++) differences[down![r]! * width! + across![r]!]! -= 1 / down!.length
  return differences.reduce((sum, difference) => sum + Math.abs(difference), 0) / 2
}

/** Of variance 1, as all noise here: these are no private numbers, so no noise has to be exact. */
const laplace = (random: () => number) => () => {
  const u = random() - 0.5
  return (-Math.sign(u) * Math.log(1 - 2 * Math.abs(u))) / Math.SQRT2
}
const gaussian = (random: () => number) => () => standardNormal(random)
