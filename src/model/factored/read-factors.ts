import type { Universe } from '../../schema/index.ts'
import { cellsOver, type Table } from '../junction-tree/index.ts'

/** The factors of a model that was written down; undefined where they do not fit the universe. */
export function readFactors(factors: unknown, { attributes }: Universe): Table[] | undefined {
  const sizes = attributes.map(({ size }) => size)
  if (!Array.isArray(factors)) return undefined
  const isSet = (set: unknown): set is number[] =>
    Array.isArray(set) && new Set(set).size === set.length && set.every((a) => sizes[a] !== undefined)
  const isFactor = (factor: { attributes?: unknown; logs?: unknown } | null) =>
    isSet(factor?.attributes) &&
    factor.attributes.length > 0 &&
    Array.isArray(factor.logs) &&
    factor.logs.length === cellsOver(factor.attributes, sizes) &&
    factor.logs.every(Number.isFinite)
  if (!factors.every(isFactor)) return undefined
  return factors.map(({ attributes, logs }) => ({ attributes, values: Float64Array.from(logs) }))
}
