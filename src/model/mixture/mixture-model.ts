import { type LinearQuery, marginalOver } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { balance } from '../rows/balanced.ts'
import type { ModelJson, Rows, Sampling, TableModel } from '../table-model.ts'
import { meanAnswers } from './answers.ts'
import { drawnRows } from './drawn-rows.ts'
import type { Mixture } from './mixture.ts'
import { addProductSums } from './product-sum.ts'
import { roundedRows } from './rounded-rows.ts'

/** A table whose records are drawn from a mixture of products. docs/algorithms/mixture.md */
export class MixtureModel implements TableModel {
  readonly universe: Universe
  readonly records: number
  readonly mixture: Mixture

  constructor(universe: Universe, records: number, mixture: Mixture) {
    this.universe = universe
    this.records = records
    this.mixture = mixture
  }

  /** First over atoms, then each atom's count is shared out among its codes. */
  marginal(attributes: readonly number[]): Float64Array {
    const axes = attributes.map((a) => this.mixture.attributes[a]!)
    const sizes = axes.map(({ atoms }) => atoms.count)
    const overAtoms = new Float64Array(sizes.reduce((n, size) => n * size, 1))
    const weights = this.mixture.weights.map((weight) => weight * this.records)
    const panels = axes.map(({ atoms, probabilities }) => ({ rows: atoms.count, values: probabilities }))
    addProductSums(weights, panels, overAtoms)
    let [places, parts] = [Int32Array.of(0), Float64Array.of(1)]
    for (const [i, { atoms, shares }] of axes.entries()) {
      const { length } = shares
      const next = { places: new Int32Array(places.length * length), parts: new Float64Array(places.length * length) }
      for (let p = 0, at = 0; p < places.length; p++)
        for (let code = 0; code < length; code++, at++) {
          next.places[at] = places[p]! * sizes[i]! + atoms.groupOf[code]!
          next.parts[at] = parts[p]! * shares[code]!
        }
      ;({ places, parts } = next)
    }
    return parts.map((part, cell) => part * overAtoms[places[cell]!]!)
  }

  answers(query: LinearQuery): Float64Array {
    const names = marginalOver(query)
    if (names) return this.marginal(names.map((name) => this.universe.index.get(name)!))
    return meanAnswers(query, this.mixture, this.universe).map((mean) => mean * this.records)
  }

  rows(count: number, random: () => number, sampling: Sampling = 'rounded'): Rows {
    if (sampling === 'independent') return drawnRows(this.mixture, count, random)
    const rows = roundedRows(this.mixture, count, random)
    balance(rows, this, random)
    return rows
  }

  /** Nine digits of a float tell the very float. */
  toJson(): ModelJson {
    const { weights, attributes } = this.mixture
    return {
      ...{ kind: 'mixture', records: this.records, weights: [...weights] },
      attributes: attributes.map(({ atoms, shares, probabilities }) => ({
        atoms: [...atoms.groupOf],
        shares: [...shares],
        probabilities: Array.from(probabilities, (value) => Number(value.toPrecision(9))),
      })),
    }
  }
}
