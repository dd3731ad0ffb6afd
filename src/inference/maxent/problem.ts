import { toNumber } from '../../numeric/index.ts'
import { attributesOf } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { Answered } from './answered.ts'
import { compileScopes, type Scope } from './scope.ts'
import { type WideFeature, wideFeatures } from './wide-feature.ts'

/**
 * Noisy answers as a maximum entropy fit sees them: features f_i of a record, scaled so that |f_i| ≤ 1, and the noisy mean
 * π_i that each should have. All of it is public.
 */
export interface MaxentProblem {
  readonly universe: Universe
  /** The number of records that shares are turned into counts with. */
  readonly records: number
  /** p₀: per attribute the share of each code, all above 0. */
  readonly prior: readonly Float64Array[]
  /** Features over few cells, by the attributes that they look at. They come first, scope after scope. */
  readonly scopes: readonly Scope[]
  /** Features over so many cells that they are not spread out. */
  readonly wide: readonly WideFeature[]
  /** π. */
  readonly targets: Float64Array
  /** Laplace noise: n·scale_i/b_i, which α multiplies to the box. Infinite where the noise is not Laplace's. */
  readonly boxes: Float64Array
  /** Gaussian noise: its variance in squared shares. 0 where the noise is not Gaussian. */
  readonly ridges: Float64Array
  /** Laplace noise: up to so many of its scales a difference costs its square. 1 is Huber's loss, 0 the noise's own likelihood, as in the paper. */
  readonly bend: number
}

/** Scopes of more cells than this are not spread out. */
export const mostCells = 2 ** 20

/** Answers that every table of so many records gives alike (COUNT(*)) say nothing about p, and are left out. */
export function maxentProblem(
  universe: Universe,
  records: number,
  prior: readonly Float64Array[],
  answers: readonly Answered[],
  bend = 1,
): MaxentProblem {
  const sizeOf = (name: string) => universe.attributes[universe.index.get(name)!]!.size
  const cellsOf = ({ query }: Answered) => attributesOf(query, universe).reduce((n, name) => n * sizeOf(name), 1)
  const telling = answers.filter(({ query }) => attributesOf(query, universe).length > 0)
  const narrow = telling.filter((answer) => cellsOf(answer) <= mostCells)
  const { scopes, sources } = compileScopes(universe, narrow)
  const others = wideFeatures(
    universe,
    telling.filter((answer) => cellsOf(answer) > mostCells),
  )
  const all = [...sources, ...others.map(({ source }) => source)]
  return {
    universe,
    records,
    prior,
    scopes,
    wide: others.map(({ feature }) => feature),
    targets: Float64Array.from(all, ({ answer, place, scale }) => Number(answer.values[place]) / (records * scale)),
    boxes: Float64Array.from(all, ({ answer: { law }, scale }) =>
      law.kind === 'laplace' ? (records * scale) / toNumber(law.scale) : Number.POSITIVE_INFINITY,
    ),
    ridges: Float64Array.from(all, ({ answer: { law }, scale }) =>
      law.kind === 'gaussian' ? toNumber(law.variance) / (records * scale) ** 2 : 0,
    ),
    bend,
  }
}
