import type { MaxentProblem } from './problem.ts'

/** Of an answer that is said to be exact: a millionth, as a share. */
const ofExact = 1e-6

/** The standard deviation of the noise in each target, as a share. */
export const targetDeviations = ({ boxes, ridges }: MaxentProblem): Float64Array =>
  boxes.map((box, i) => (ridges[i]! > 0 ? Math.sqrt(ridges[i]!) : Number.isFinite(box) ? Math.SQRT2 / box : ofExact))

/**
 * The α at which a weight may be 1, in the middle: half of the answers have noise so small that theirs may be larger. For Gaussian
 * noise the scale of Laplace's with the same deviation is taken.
 */
export function unitAlpha(problem: MaxentProblem): number {
  const boxes = targetDeviations(problem)
    .map((deviation) => Math.SQRT2 / deviation)
    .sort()
  return 1 / boxes[Math.floor(boxes.length / 2)]!
}
