// How much more often an interval of a ratio may miss because its noises were chosen on the way, at worst: by somebody who wants it to
// miss, knows all errors seen so far, and may choose any noise that the program could. docs/algorithms/ratios.md has the argument.

/** Last noises of a numerator, as parts of the noise of its first look. */
const parts = { most: 1 / 3, least: 1 / 6, count: 5 }
/** By so much the first look itself may be noisier or less noisy, by what the look at the denominator told. */
const moved = [0.72, 1, 1.4]
/** A look at a denominator has at least so many times its last noise. */
const refined = 3
/** Last noises of a denominator times the ratio, as parts of the numerator's largest last noise. */
const weights = [0.05, 0.15, 0.3, 0.5, 0.7, 1, 1.4]
/** The same for the look at the denominator. */
const firstWeights = [1.8, 3]
/** On either side so many errors are looked at, closer together where they are likely. */
const [ofFirst, ofLook, ofLast] = [14, 20, 16]

/** Laplace noise, all of it refined: the factor for an interval that misses with this doubt if nothing is chosen. */
export function laplaceInflation(doubt: number): number {
  return Math.max(...firstWeights.map((first) => worstMiss(first * parts.most, doubt))) / doubt
}

interface Errors {
  readonly at: readonly number[]
  readonly mass: readonly number[]
}

function worstMiss(first: number, doubt: number): number {
  const last = weights.map((weight) => weight * parts.most).filter((noise) => noise * refined <= first * 1.0001)
  const menus = moved.map((by) => geometric(by * parts.most, by * parts.least, parts.count))
  const widths = menus.map((menu) => last.map((below) => menu.map((above) => halfWidth(above, below, doubt))))
  const reach = Math.log(30 / doubt)
  return mean(spread(first, ofFirst, reach), (seen) => {
    const errors = last.map((noise) => refinedErrors(noise, first, { seen, reach }))
    const byScale = moved.map((by, m) =>
      mean(spread(by, ofLook, reach), (look) =>
        Math.max(
          ...errors.map((last, k) =>
            mean(last, (error) =>
              Math.max(
                ...menus[m]!.map((above, i) => missing(above / by, look / by, error / by, widths[m]![k]![i]! / by)),
              ),
            ),
          ),
        ),
      ),
    )
    return Math.max(...byScale)
  })
}

/** The law of an error after a refinement, given the one before: the jump is 0 with probability (noise/first)². */
function refinedErrors(noise: number, first: number, { seen, reach }: { seen: number; reach: number }): Errors {
  const none = (noise / first) ** 2
  const { at, mass } = spread(noise, ofLast, reach)
  const all = [...mass.map((m, i) => m * (1 - none) * density(seen - at[i]!, first)), none * density(seen, noise)]
  const sum = all.reduce((a, b) => a + b, 0)
  return { at: [...at, seen], mass: all.map((m) => m / sum) }
}

/** Pr(|e - error| > width) for a Laplace e of this scale that is `look` after noise was added to it up to the scale 1. */
function missing(scale: number, look: number, error: number, width: number): number {
  const [low, high] = [error - width, error + width]
  const none = scale * scale
  const atom = look >= low && look <= high ? none * density(look, scale) : 0
  return Math.max(0, 1 - (atom + (1 - none) * overlap(scale, look, low, high)) / density(look, 1))
}

/** ∫ of the Laplace densities of this scale at x and of scale 1 at look - x, from low to high. */
function overlap(scale: number, look: number, low: number, high: number): number {
  const [first, second] = [Math.min(0, look), Math.max(0, look)]
  const times = 1 / (4 * scale)
  const between = look >= 0 ? exponential(-look, 1 - 1 / scale) : exponential(look, 1 / scale - 1)
  return (
    times *
    (exponential(-look, 1 / scale + 1)(Math.max(low, -60), Math.min(high, first)) +
      between(Math.max(low, first), Math.min(high, second)) +
      exponential(look, -1 / scale - 1)(Math.max(low, second), Math.min(high, 60)))
  )
}

/** ∫ exp(constant + slope·x). */
const exponential = (constant: number, slope: number) => (from: number, to: number) => {
  if (!(to > from)) return 0
  if (Math.abs(slope) < 1e-12) return Math.exp(constant) * (to - from)
  return (Math.exp(constant + slope * to) - Math.exp(constant + slope * from)) / slope
}

const density = (x: number, scale: number) => Math.exp(-Math.abs(x) / scale) / (2 * scale)

/** Half the width that the sum of two Laplace noises exceeds with this doubt. */
function halfWidth(one: number, other: number, doubt: number): number {
  const small = Math.abs(one - other) < 1e-6 * one ? other * (1 + 1e-5) : other
  const tail = (h: number) =>
    (one * one * Math.exp(-h / one) - small * small * Math.exp(-h / small)) / (one * one - small * small)
  return bisected((h) => tail(h) <= doubt, 60 * (one + other))
}

/** Gaussian noise, bought afresh for the numerator after the denominator was seen, of half to all of what was planned. */
export function gaussianInflation(doubt: number): number {
  const deviations = bisected((h) => 2 * normalTail(h) <= doubt, 12)
  const menu = geometric(1, 1 / 2, 9)
  const values = weights.map((weight) => {
    let sum = 0
    for (let i = 0; i < 1000; i++) {
      const x = -8 + (16 * (i + 0.5)) / 1000
      const error = weight * x
      const misses = menu.map((noise) => {
        const width = deviations * Math.hypot(noise, weight)
        return normalTail((width - error) / noise) + normalTail((width + error) / noise)
      })
      sum += (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * (16 / 1000) * Math.max(...misses)
    }
    return sum
  })
  return Math.max(...values) / doubt
}

/** Pr(N > x), by integrating outwards. */
function normalTail(x: number): number {
  if (x < 0) return 1 - normalTail(-x)
  let sum = 0
  for (let i = 0; i < 200; i++) sum += Math.exp(-((x + (8 * (i + 0.5)) / 200) ** 2) / 2)
  return (sum * (8 / 200)) / Math.sqrt(2 * Math.PI)
}

const mean = ({ at, mass }: Errors, of: (error: number) => number) =>
  at.reduce((sum, error, i) => (mass[i]! > 1e-12 ? sum + mass[i]! * of(error) : sum), 0)
const geometric = (from: number, to: number, count: number) =>
  Array.from({ length: count }, (_, i) => from * (to / from) ** (i / (count - 1)))
/** A Laplace law in pieces, the last of which begins at about so many times its scale. */
function spread(scale: number, count: number, reach: number): Errors {
  const ends = Array.from({ length: count + 1 }, (_, k) => reach * (k / count) ** 1.5)
  // A piece stands where its mean is; the last one has all that is beyond.
  const tail = (t: number) => (t < reach ? Math.exp(-t) : 0)
  const mass = ends.slice(1).map((end, k) => (Math.exp(-ends[k]!) - tail(end)) / 2)
  const at = ends
    .slice(1)
    .map((end, k) => (scale * ((ends[k]! + 1) * Math.exp(-ends[k]!) - (end + 1) * tail(end))) / (2 * mass[k]!))
  return { at: [...at, ...at.map((x) => -x)], mass: [...mass, ...mass] }
}

function bisected(holds: (x: number) => boolean, most: number): number {
  let [low, high] = [0, most]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
