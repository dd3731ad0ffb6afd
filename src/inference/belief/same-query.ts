import { firstWhere } from '../../numeric/index.ts'
import { type DrawnLaw, logDensity, spreadOf } from './answer.ts'

/** A law on whole numbers of steps: masses[i] is that of from + i·stride, and sums to 1. */
export interface Masses {
  readonly from: number
  readonly stride: number
  readonly masses: Float64Array
}

/** What is smaller than the largest by this factor counts as nothing. */
const nothing = Math.log(1e-16)
/** Noise much wider than this many steps is followed on every second, fourth, … step. */
const fine = 4096
const most = 2 ** 20

/**
 * The law of a query's exact answer given noisy ones of it, all whole numbers being as likely before: the product of the
 * noises' laws. undefined where the answers are too far apart to be added up.
 */
export function givenAnswers(
  answers: readonly { readonly value: number; readonly law: DrawnLaw }[],
): Masses | undefined {
  const narrowest = Math.min(...answers.map(({ law }) => spreadOf(law)))
  const stride = 2 ** Math.max(0, Math.ceil(Math.log2(narrowest / fine)))
  const log = (t: number) => answers.reduce((sum, { value, law }) => sum + logDensity(law, value - t), 0)
  const peak = peakOf(
    log,
    answers.map(({ value }) => value),
    stride,
  )
  const top = log(peak)
  const reach = (way: 1 | -1) => {
    let steps = 1
    while (steps <= most && log(peak + way * steps * stride) - top > nothing) steps *= 2
    return steps
  }
  const [below, above] = [reach(-1), reach(1)]
  if (below + above > 2 * most) return undefined
  const masses = Float64Array.from({ length: below + above + 1 }, (_, i) =>
    Math.exp(log(peak + (i - below) * stride) - top),
  )
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  return { from: peak - below * stride, stride, masses: masses.map((mass) => mass / total) }
}

/** Where a concave function is largest, on the stride's steps between the answers. */
function peakOf(log: (t: number) => number, values: readonly number[], stride: number): number {
  const first = Math.min(...values)
  const at = (step: number) => log(first + step * stride)
  const last = Math.ceil((Math.max(...values) - first) / stride)
  return first + firstWhere(0, last, (step) => !(at(step) < at(step + 1))) * stride
}
