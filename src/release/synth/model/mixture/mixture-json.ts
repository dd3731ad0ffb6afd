import type { Universe } from '../../../../schema/index.ts'
import type { ModelJson } from '../table-model.ts'
import type { Mixture } from './mixture.ts'
import { MixtureModel } from './mixture-model.ts'

interface MixtureJson extends ModelJson {
  readonly weights: readonly number[]
  readonly attributes: readonly {
    readonly atoms: readonly number[]
    readonly shares: readonly number[]
    readonly probabilities: readonly number[]
  }[]
}

/** The model that `toJson` wrote down, over the same universe. */
export function mixtureModelFromJson(json: ModelJson, universe: Universe): MixtureModel {
  const { records, weights, attributes } = json as MixtureJson
  const mixture: Mixture = {
    weights: Float64Array.from(weights),
    attributes: attributes.map(({ atoms, shares, probabilities }) => ({
      atoms: { groupOf: Int32Array.from(atoms), count: 1 + atoms.reduce((most, atom) => Math.max(most, atom), -1) },
      shares: Float64Array.from(shares),
      probabilities: Float32Array.from(probabilities),
    })),
  }
  return new MixtureModel(universe, records, mixture)
}
