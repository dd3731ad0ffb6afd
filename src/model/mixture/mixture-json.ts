import type { Universe } from '../../schema/index.ts'
import type { ModelJson } from '../table-model.ts'
import type { AttributeOfMixture } from './mixture.ts'
import { MixtureModel } from './mixture-model.ts'

/** The model that `toJson` wrote down, over the same universe; undefined where that is damaged. */
export function mixtureModelFromJson(json: ModelJson, universe: Universe): MixtureModel | undefined {
  const { records, weights, attributes } = json
  if (!isTable(weights) || weights.length === 0 || !Array.isArray(attributes)) return undefined
  if (attributes.length !== universe.attributes.length) return undefined
  const read = attributes.map((attribute, a) =>
    attributeFromJson(attribute, universe.attributes[a]!.size, weights.length),
  )
  if (!read.every((attribute) => attribute !== undefined)) return undefined
  return new MixtureModel(universe, records, { weights: Float64Array.from(weights), attributes: read })
}

function attributeFromJson(json: unknown, size: number, components: number): AttributeOfMixture | undefined {
  const { atoms, shares, probabilities } = Object(json) as { [member: string]: unknown }
  if (!isTable(atoms, size) || !isTable(shares, size)) return undefined
  const count = 1 + atoms.reduce((most, atom) => Math.max(most, atom), -1)
  if (!atoms.every(Number.isInteger) || !isTable(probabilities, count * components)) return undefined
  return {
    atoms: { groupOf: Int32Array.from(atoms), count },
    shares: Float64Array.from(shares),
    probabilities: Float32Array.from(probabilities),
  }
}

const isTable = (value: unknown, length?: number): value is number[] =>
  Array.isArray(value) &&
  (length === undefined || value.length === length) &&
  value.every((number) => Number.isFinite(number) && number >= 0)
