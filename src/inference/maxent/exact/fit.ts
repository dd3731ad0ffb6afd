import { bestAlpha, distancesOf, drawnSigns, foldsOf } from '../cross-validation.ts'
import { targetDeviations } from '../noise.ts'
import type { MaxentProblem } from '../problem.ts'
import { type ExactSolution, solveExactly } from './solve.ts'
import { TreeMeans, treeCells } from './tree-means.ts'

/** What a fit is asked for, however it is done. */
export interface FitOptions {
  /** How much the noisy answers count against the prior; by cross-validation unless said. */
  readonly alpha?: number
  /** Uniform on [0, 1). */
  readonly random: () => number
  /** Called between steps: a place to stop, and to say how far the work is. */
  readonly pause?: (share: number, doing: string) => Promise<void>
}

/** Trees of at most so many cells are fitted five times for every α, larger ones once. */
const smallTree = 2 ** 14
/** Steps of the search times cells of the tree: some ten seconds. */
const mostWork = 2 ** 28

/** With exact slopes, until the duality gap says that it is done or the work is too much. */
export async function fitExactly(
  problem: MaxentProblem,
  cliques: readonly (readonly number[])[],
  { alpha, random, pause }: FitOptions,
): Promise<ExactSolution & { readonly alpha: number }> {
  const tree = new TreeMeans(problem, cliques)
  const cells = treeCells(problem, cliques)
  const mostSteps = Math.max(40, Math.min(400, Math.floor(mostWork / cells)))
  const chosen = alpha ?? (await crossValidated(problem, tree, cells, mostSteps, { random, pause })).alpha
  await pause?.(0.7, 'fit')
  return { alpha: chosen, ...solveExactly(problem, tree, chosen, { mostSteps }) }
}

/** Precise enough to tell one α from another. */
const precisionOfTrials = 1e-3

function crossValidated(
  problem: MaxentProblem,
  tree: TreeMeans,
  cells: number,
  mostSteps: number,
  { random, pause }: FitOptions,
): ReturnType<typeof bestAlpha> {
  const folds = foldsOf(problem, 5, random).slice(0, cells <= smallTree ? 5 : 1)
  const variances = targetDeviations(problem).map((deviation) => deviation ** 2)
  const starts: (Float64Array | undefined)[] = folds.map(() => undefined)
  const signs = drawnSigns(problem, random)
  let trials = 0
  return bestAlpha(problem, async (alpha) => {
    const distances: ReturnType<typeof distancesOf>[] = []
    for (const [fold, isUsed] of folds.entries()) {
      await pause?.(0.7 * (1 - 0.9 ** trials++), `choosing α: trial ${trials}`)
      const options = { start: starts[fold], precision: precisionOfTrials, isUsed, mostSteps: Math.ceil(mostSteps / 4) }
      const { w, means } = solveExactly(problem, tree, alpha, options)
      starts[fold] = w
      const covariance = tree.covariance(w)
      distances.push(distancesOf(problem, { alpha, w, means, isUsed, covariance }, variances, signs))
    }
    return distances
  })
}
