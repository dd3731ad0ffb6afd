import { boundOfNoises, interpolated } from '../../src/answer/known/joint.ts'
import type { JointBound } from '../../src/answer/known/sectors.ts'
import type { DrawnTerm } from '../../src/answer/known/two-noises.ts'
import { fieller } from '../../src/answer/ratio/fieller.ts'
import { ratioOf } from '../../src/answer/ratio/ratio.ts'
import { errorLawByCharacteristic, varianceOfError } from '../../src/inference/index.ts'
import {
  gaussianHalfWidth,
  gaussianPmf,
  laplaceHalfWidth,
  laplacePmf,
  type Rational,
  toNumber,
} from '../../src/numeric/index.ts'

const quotient = ratioOf({ kind: 'quotient', left: { kind: 'part', part: 0 }, right: { kind: 'part', part: 1 } })!

/** Pr(the interval holds the exact ratio of two noisy numbers), added up over all noises but for 10^-10. */
export function coverageOf([exact, laws, confidence]: Case, isNorm = false): number {
  const noises = laws.map((law) => ({ law, coefficient: 1, count: 1 })) as [DrawnTerm, DrawnTerm]
  const bound = isNorm ? asIfNorm(noises, confidence) : boundOfNoises([[noises[0]], [noises[1]]], confidence)
  const [above, below] = laws.map((law) => {
    const half =
      law.kind === 'laplace' ? laplaceHalfWidth(law.scale, 1 - 1e-10) : gaussianHalfWidth(law.variance, 1 - 1e-10)
    return Array.from({ length: 2 * half + 1 }, (_, i) => ({ noise: i - half, p: massOf(law, i - half) }))
  })
  let covered = 0
  for (const one of above!)
    for (const other of below!) {
      const found = fieller(quotient, [exact[0] + one.noise, exact[1] + other.noise], bound)
      const value = exact[0] / exact[1]
      // Where nothing is kept, the quotient of two intervals is given; that it may hold the ratio is not counted.
      if (found && found.low <= value && value <= found.high) covered += one.p * other.p
    }
  return covered
}
/** Half-widths of a few directions with chords between them, as would be right for a norm. */
const asIfNorm = ([one, other]: readonly [DrawnTerm, DrawnTerm], confidence: number): JointBound => {
  const weighted = (x: Rational, y: Rational) => [
    { ...one, coefficient: toNumber(x) },
    { ...other, coefficient: toNumber(y) },
  ]
  return interpolated((x, y) => errorLawByCharacteristic(weighted(x, y)).halfWidth(confidence), {
    variances: { x: varianceOfError([one]), y: varianceOfError([other]) },
    box: { x: 1e9, y: 1e9 },
  })
}
const massOf = (law: Drawn, k: number) =>
  law.kind === 'laplace' ? laplacePmf(law.scale, k) : gaussianPmf(law.variance, k)
type Drawn = DrawnTerm['law']
export type Case = readonly [exact: readonly [number, number], laws: readonly [Drawn, Drawn], confidence: number]
export const laplace = (scale: number): Drawn => ({ kind: 'laplace', scale })
export const gaussian = (variance: number): Drawn => ({ kind: 'gaussian', variance })
