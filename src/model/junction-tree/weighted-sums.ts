import { eliminated, type Message, type Uses, type WeightedSums } from './elimination.ts'
import type { JunctionTree } from './junction-tree.ts'
import { otherEnd } from './shape.ts'

/**
 * Σ over all cells of probability · Π weights, one sum per combination of groups, by eliminating one clique after the
 * other. Attributes that are not in use do not matter.
 */
export function weightedSums(tree: JunctionTree, uses: Uses): WeightedSums {
  tree.settle()
  let root = 0
  let most = -1
  for (const [c, clique] of tree.shape.cliques.entries()) {
    const used = clique.filter((a) => uses.has(a)).length
    if (used > most) [root, most] = [c, used]
  }
  return messageFrom(tree, uses, root, -1) ?? { attributes: [], values: Float64Array.of(1) }
}

/** What is to be known beyond an edge (-1: at the root) about all that lies on this side; undefined where that is nothing. */
function messageFrom(tree: JunctionTree, uses: Uses, clique: number, via: number): Message | undefined {
  const { cliques, edges, edgesAt } = tree.shape
  const separator = via < 0 ? [] : edges[via]!.separator
  const own = cliques[clique]!.filter((a) => uses.has(a) && !separator.includes(a))
  const messages: Message[] = []
  const separators: (readonly number[])[] = []
  for (const e of edgesAt[clique]!) {
    const message = e === via ? undefined : messageFrom(tree, uses, otherEnd(edges[e]!, clique), e)
    if (message === undefined) continue
    messages.push(message)
    separators.push(edges[e]!.separator)
  }
  if (own.length === 0 && messages.length === 0) return undefined
  const grouped = own.filter((a) => uses.get(a)!.groups !== undefined)
  const others = new Set([...grouped, ...separators.flat()])
  for (const a of separator) others.delete(a)
  const kept = [...separator, ...others]
  const masses = keptMasses(tree, uses, clique, own, kept)
  const message = eliminated(tree, uses, { separator, kept, grouped, masses, messages, separators })
  if (via >= 0) divideRows(message.values, tree.separator(via))
  return message
}

/** The weighted marginal of a clique over the attributes that still matter. */
function keptMasses(
  tree: JunctionTree,
  uses: Uses,
  clique: number,
  own: readonly number[],
  kept: readonly number[],
): Float64Array {
  let table = tree.at(clique)
  for (const a of own) {
    const { weights } = uses.get(a)!
    if (weights === undefined) continue
    if (table === tree.at(clique)) table = table.slice()
    tree.projection(clique, [a]).multiply(table, weights)
  }
  return tree.projection(clique, kept).sum(table)
}

function divideRows(values: Float64Array, masses: Float64Array): void {
  const width = values.length / masses.length
  for (let i = 0; i < values.length; i++) {
    const mass = masses[Math.floor(i / width)]!
    values[i] = mass > 0 ? values[i]! / mass : 0
  }
}
