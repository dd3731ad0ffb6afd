import type { Rows, TableModel } from '../table-model.ts'
import { quickRandom } from './quick-random.ts'
import { type PairSquare, swapTowards } from './swaps.ts'

/** Codes whose pairs are looked at together: a square of floats of this width, twice, is 72 MB. */
const mostCodes = 3000
/** Beyond so many values swaps no longer pay: sampling moves large tables little. */
const mostValues = 2 ** 25
/** Proposals times attributes: some seconds. */
const mostWork = 2e8

/** What is needed of a model. */
type ModelOfPairs = Pick<TableModel, 'universe' | 'records' | 'marginal'>

/**
 * Swaps values between rows where that brings their pair tables closer to the model's: the objective is
 * Σ (count - expected)²/√(expected + 1). Attributes of so many codes that they do not fit stay as they are. In place.
 */
export function balance(rows: Rows, model: ModelOfPairs, random: () => number): void {
  const count = rows[0]?.length ?? 0
  const attributes = fitting(model.universe.attributes.map(({ size }) => size))
  if (attributes.length < 2 || count < 2 || count * attributes.length > mostValues) return
  const square = squareOf(attributes, rows, model)
  const flat = new Int32Array(count * attributes.length)
  for (const [i, a] of attributes.entries())
    for (let row = 0; row < count; row++) flat[row * attributes.length + i] = square.offsets[i]! + rows[a]![row]!
  const proposals = Math.min(3 * count * attributes.length, Math.floor(mostWork / attributes.length))
  swapTowards(flat, square, proposals, quickRandom(random))
  for (const [i, a] of attributes.entries())
    for (let row = 0; row < count; row++) rows[a]![row] = flat[row * attributes.length + i]! - square.offsets[i]!
}

/** The smallest first, as many as fit, in their own order; one value is never swapped. */
function fitting(sizes: readonly number[]): number[] {
  const bySize = [...sizes.keys()].filter((a) => sizes[a]! > 1).sort((a, b) => sizes[a]! - sizes[b]!)
  let sum = 0
  return bySize
    .filter((a) => {
      sum += sizes[a]!
      return sum <= mostCodes
    })
    .sort((a, b) => a - b)
}

function squareOf(attributes: readonly number[], rows: Rows, model: ModelOfPairs): PairSquare {
  const sizes = attributes.map((a) => model.universe.attributes[a]!.size)
  const offsets = sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0))
  const width = sizes.reduce((sum, size) => sum + size, 0)
  const surplus = new Float32Array(width * width)
  const weights = new Float32Array(width * width)
  const count = rows[0]!.length
  for (const [i, a] of attributes.entries())
    for (const [after, b] of attributes.slice(i + 1).entries()) {
      const j = i + 1 + after
      const expected = model.marginal([a, b])
      for (let x = 0, cell = 0; x < sizes[i]!; x++)
        for (let y = 0; y < sizes[j]!; y++, cell++) {
          const place = (offsets[i]! + x) * width + offsets[j]! + y
          const records = (expected[cell]! / model.records) * count
          surplus[place] = -records
          weights[place] = 1 / Math.sqrt(records + 1)
        }
      const [left, right] = [rows[a]!, rows[b]!]
      for (let row = 0; row < count; row++) surplus[(offsets[i]! + left[row]!) * width + offsets[j]! + right[row]!]!++
    }
  for (const table of [surplus, weights]) mirror(table, width)
  return { offsets, width, surplus, weights }
}

/** What is above the diagonal, below it too. */
function mirror(table: Float32Array, width: number): void {
  for (let x = 0; x < width; x++) for (let y = x + 1; y < width; y++) table[y * width + x] = table[x * width + y]!
}
