import type { Universe } from '../../schema/index.ts'
import type { Bought, Meter, Noise } from '../meter.ts'
import { type TreeShape, treeLevels } from './levels.ts'

/**
 * Buys all levels of a tree at once (Hay et al. 2010; Bayesian paper, §6.4.1). Nothing else happens here: its answers
 * are in the history like any other, and inference makes ranges of them. Why and when: docs/algorithms/tree.md
 */
export function releaseTree<Receipt extends Bought>(
  universe: Universe,
  shape: TreeShape,
  { noise, meter }: { readonly noise: Noise; readonly meter: Pick<Meter<Receipt>, 'measure'> },
): Promise<Receipt> {
  const levels = treeLevels(universe, shape)
  const laws = noise(levels)
  return meter.measure(levels.map((query, i) => ({ query, law: laws[i]! })))
}
