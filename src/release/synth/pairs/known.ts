import { coarsened, type GroupedMarginal, groupedMarginal, isComplete, type Partition } from '../../../model/index.ts'
import type { Measurement } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'

/** Noisy counts of every combination of codes, and the variance of each. */
interface KnownTable {
  readonly values: Float64Array
  readonly variance: number
}

/** What the history tells that a mixture can be fitted to. */
export class KnownTables {
  /** Counts of all combinations of one to three attributes' codes. */
  readonly complete: readonly GroupedMarginal[]
  /** Counts over groups and under conditions. */
  readonly others: readonly GroupedMarginal[]
  readonly #universe: Universe

  constructor(marginals: readonly GroupedMarginal[], universe: Universe) {
    this.complete = marginals.filter(isComplete)
    this.others = marginals.filter((marginal) => !isComplete(marginal))
    this.#universe = universe
  }

  static of(history: readonly Measurement[], universe: Universe): KnownTables {
    const all = history.map((measurement) => groupedMarginal(measurement, universe))
    return new KnownTables(
      all.filter((marginal) => marginal !== undefined),
      universe,
    )
  }

  /** All that complete marginals say together about one or two attributes (ascending); undefined where none does. */
  about(attributes: readonly number[]): KnownTable | undefined {
    const told = this.complete
      .filter(({ axes }) => attributes.every((a) => axes.some(({ attribute }) => attribute === a)))
      .map((marginal) => this.#summed(marginal, attributes))
    if (told.length === 0) return undefined
    const weight = told.reduce((sum, { variance }) => sum + 1 / variance, 0)
    const values = told[0]!.values.map((_, cell) =>
      told.reduce((sum, table) => sum + table.values[cell]! / table.variance / weight, 0),
    )
    return { values, variance: 1 / weight }
  }

  /** Over some of a marginal's attributes: the sum over the others. */
  #summed(marginal: GroupedMarginal, attributes: readonly number[]): KnownTable {
    const kept = marginal.axes.map(({ attribute }) => attributes.includes(attribute))
    const groups = marginal.axes.map(
      ({ groups }, axis): Partition =>
        kept[axis] ? groups : { groupOf: new Int32Array(groups.groupOf.length), count: 1 },
    )
    const { axes, values, variance } = coarsened(marginal, groups)
    const order = axes.filter((_, axis) => kept[axis]).map(({ attribute }) => attribute)
    const [first, second] = order
    const table = Float64Array.from(values)
    // The only other order of two.
    const turned = second !== undefined && first! > second
    const [rows, columns] = order.map((a) => this.#universe.attributes[a]!.size)
    return {
      values: turned ? table.map((_, cell) => table[(cell % rows!) * columns! + Math.floor(cell / rows!)]!) : table,
      variance: (variance as Float64Array)[0]!,
    }
  }
}
