import type { Column } from '../column.ts'
import type { Weights, WeightTerm } from '../compile.ts'
import { free, weightsOf } from './axis.ts'
import { type Block, columnAt } from './block.ts'
import { shapeOf } from './column-key.ts'
import type { AxisWeights, Part } from './part.ts'

/**
 * The cells of a block that add up to a question, with their weights; undefined where they do not. Attribute by attribute:
 * outside of the axes both must look at the same codes, and along an axis the question must be the same multiple of the
 * table's factor throughout a group, and 0 outside of the groups. No linear system is solved.
 */
export function tellingParts(block: Block, question: Weights): readonly Part[] | undefined {
  const own = block.shared.terms
  if (own.length === 1) {
    const parts: Part[] = []
    for (const term of question.terms) {
      const part = alike(block, [own[0]!], [term])
      if (!part) return undefined
      parts.push(part)
    }
    return parts
  }
  const part = own.length === question.terms.length ? alike(block, own, question.terms) : undefined
  return part && [part]
}

/** Terms pair by pair: all of them must be told with the same weights. */
function alike(block: Block, own: readonly WeightTerm[], asked: readonly WeightTerm[]): Part | undefined {
  const times = timesOf(block, own[0]!, asked[0]!)
  if (times === undefined || own.some((term, t) => timesOf(block, term, asked[t]!) !== times)) return undefined
  const axes: AxisWeights[] = []
  for (const axis of block.axes) {
    const lists: Float64Array[] = []
    for (const [t, term] of own.entries()) {
      const { shares, isWithin } = axis.shares(columnAt(term, axis.place), columnAt(asked[t]!, axis.place))
      if (!isWithin) return undefined
      lists.push(shares)
    }
    const joint = lists.length === 1 ? lists[0]! : agreed(lists)
    if (!joint) return undefined
    axes.push(weightsOf(joint))
  }
  return { block, times, axes }
}

/** What the question is of the table's own term outside of the axes. */
export function timesOf({ axes }: Block, own: WeightTerm, asked: WeightTerm): number | undefined {
  const isAxis = (place: number) => axes.some((axis) => axis.place === place)
  let times = asked.coefficient / own.coefficient
  for (const [i, place] of asked.attributes.entries()) {
    if (isAxis(place)) continue
    const [h, f]: (Column | undefined)[] = [asked.columns[i], columnAt(own, place)]
    if (!f || shapeOf(f).text !== shapeOf(h).text) return undefined
    times *= shapeOf(h).times / shapeOf(f).times
  }
  const isMet = own.attributes.every((place) => isAxis(place) || asked.attributes.includes(place))
  return isMet ? times : undefined
}

function agreed(lists: readonly Float64Array[]): Float64Array | undefined {
  const joint = lists[0]!.slice()
  for (const shares of lists)
    for (let group = 0; group < joint.length; group++) {
      if (shares[group] === free) continue
      if (joint[group] === free) joint[group] = shares[group]!
      else if (joint[group] !== shares[group]) return undefined
    }
  return joint
}
