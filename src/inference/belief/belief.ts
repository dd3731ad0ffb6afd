import { convolve, firstWhere } from '../../numeric/index.ts'
import { logDensity } from './answer.ts'
import { type Evidence, repeatableFrom } from './evidence.ts'
import { givenAnswers, type Masses } from './same-query.ts'
import { beliefOfDraws, beliefOfMasses, type FlatBelief } from './weighed.ts'

/** Masses are added up where there are at most so many. */
const mostMasses = 2 ** 20
/** Draws, and the least that they may be worth. */
const [draws, leastWorth] = [40_000, 1000]

/**
 * What is to be believed about a linear query given noisy answers, all tables being as likely before: not the law of an
 * estimate's error, which forgets how the answers lie. Added up where the answered queries do not depend on each other;
 * else from draws of some of them, weighed by the others. undefined where that is not feasible.
 * Proof: docs/algorithms/error-law.md
 */
export function flatBelief(evidence: Evidence): FlatBelief | undefined {
  const { asked, span } = evidence
  const basis = span.basis.map((place) => asked[place]!)
  const known: Masses[] = []
  for (const { answers } of basis) {
    const masses = givenAnswers(answers)
    if (!masses) return undefined
    known.push(masses)
  }
  const random = repeatableFrom(evidence)
  const inUnits = span.question.map((weight, k) => weight * basis[k]!.step)
  if (basis.length === asked.length) return added(known, inUnits) ?? drawn(known, inUnits, () => 0, random)
  const others = asked.flatMap((one, place) => (span.basis.includes(place) ? [] : [{ one, row: span.weights[place]! }]))
  // How likely the answers that nothing was drawn from are at a draw.
  const logWeight = (steps: Float64Array) =>
    others.reduce((sum, { one, row }) => {
      const value = row.reduce((total, w, k) => total + w * basis[k]!.step * steps[k]!, 0) / one.step
      return one.answers.reduce((rest, { value: y, law }) => rest + logDensity(law, y - value), sum)
    }, 0)
  return drawn(known, inUnits, logWeight, random)
}

/** The law of a sum of independent numbers on one lattice; undefined where they share none that is coarse enough. */
function added(known: readonly Masses[], weights: Float64Array): FlatBelief | undefined {
  const parts = known.flatMap((masses, k) => (weights[k] === 0 ? [] : [{ masses, weight: weights[k]! }]))
  const unit = Math.min(...parts.map(({ masses, weight }) => Math.abs(weight) * masses.stride))
  let sum = Float64Array.of(1)
  let from = 0
  for (const { masses: part, weight } of parts) {
    const times = (weight * part.stride) / unit
    const length = Math.abs(Math.round(times)) * (part.masses.length - 1) + 1
    if (Math.abs(times - Math.round(times)) > 1e-9 || length + sum.length > mostMasses) return undefined
    const spaced = new Float64Array(length)
    part.masses.forEach((mass, i) => {
      spaced[weight > 0 ? i * Math.round(times) : length - 1 + i * Math.round(times)] = mass
    })
    from += weight * (weight > 0 ? part.from : part.from + (part.masses.length - 1) * part.stride)
    sum = sum.length === 1 ? spaced : convolve(sum, spaced).map((mass) => Math.max(0, mass))
  }
  const isExact = parts.every(({ masses }) => masses.stride === 1)
  return beliefOfMasses((i) => from + i * unit, sum, isExact ? 0 : unit)
}

/** From draws of independent numbers, each with the weight exp(logWeight). */
function drawn(
  known: readonly Masses[],
  weights: Float64Array,
  logWeight: (steps: Float64Array) => number,
  random: () => number,
): FlatBelief | undefined {
  const samplers = known.map((masses) => sampler(masses, random))
  const [values, logs] = [new Float64Array(draws), new Float64Array(draws)]
  const steps = new Float64Array(known.length)
  for (let i = 0; i < draws; i++) {
    for (let k = 0; k < steps.length; k++) steps[k] = samplers[k]!()
    values[i] = steps.reduce((sum, step, k) => sum + weights[k]! * step, 0)
    logs[i] = logWeight(steps)
  }
  const top = logs.reduce((most, log) => Math.max(most, log), -Infinity)
  const worth = logs.map((log) => Math.exp(log - top))
  const [sum, squares] = worth.reduce(([s, q], w) => [s + w, q + w * w], [0, 0])
  return (sum * sum) / squares >= leastWorth ? beliefOfDraws(values, worth) : undefined
}

function sampler({ from, stride, masses }: Masses, random: () => number): () => number {
  const sums = new Float64Array(masses.length)
  let total = 0
  for (let i = 0; i < masses.length; i++) sums[i] = total += masses[i]!
  return () => {
    const u = random() * total
    return from + firstWhere(0, masses.length - 1, (i) => sums[i]! > u) * stride
  }
}
