// How often the interval of a ratio misses when both parts are refined together until it is narrow enough: by the program's rule, and where
// somebody who wants it to miss may stop wherever it is narrow enough. Continuous noise, seeded draws. docs/algorithms/ratios.md

/** The denominator's noise as a part of it, and times the ratio as a part of the numerator's, where the descent should end. */
export interface Setting {
  readonly relative: number
  readonly weight: number
}
interface Outcome {
  /** By the program's rule, over the doubt that the interval itself has. */
  readonly rule: number
  /** At worst, over the same. */
  readonly worst: number
}

/** Of the program: noises of the looks and of the beginning, the end, and by how much steps go too far. */
const [lookAbove, lookBelow, begin, end, farther] = [3.4, 3, 1.35, 1 / 4, 1.01]
/** Whoever wants it to miss may stop where the interval is at most so much narrower than asked; or at once. */
const narrower = 0.15

/** Scales in units of that at which the interval of the exact parts is as wide as asked: fine steps where it may end, then to the looks. */
const scales = [...geometric(0.2, 2.6, 1.03), ...geometric(2.6, 3.5, 1.1)]

export function descentInflation(
  doubt: number,
  { relative, weight }: Setting,
  draws: number,
  random: () => number,
): Outcome {
  const width = widthsAt(doubt)
  const laplace = (scale: number) => scale * (Math.log1p(-random()) - Math.log1p(-random()))
  // The ratio is 1: the numerator is as large as the denominator.
  const size = weight / relative
  const within = settled((w) => width(weight * (1 + w)) / size)
  const half = (above: number, below: number, scale: number) =>
    settled((w) => (scale * width(weight * (Math.abs(above / below) + w))) / Math.abs(below))
  let [rule, worst] = [0, 0]
  for (let draw = 0; draw < draws; draw++) {
    const [above, below] = [chain(1, laplace, random), chain(weight, laplace, random)]
    const widthAt = (k: number) => half(size + above[k]!, size + below[k]!, scales[k]!) / within
    const isMissed = (k: number) => Math.abs(above[k]! - below[k]!) > width(weight) * scales[k]!
    const [seenAbove, seenBelow] = [size + above[place(lookAbove)]!, size + below[place(lookBelow)]!]
    const likely = (within * Math.abs(seenBelow)) / width(weight * (Math.abs(seenAbove / seenBelow) + within))
    const [first, last] = [place(Math.min(begin * likely, lookBelow / 2)), place(begin * likely * end)]
    let k = first
    for (;;) {
      const wide = widthAt(k)
      if (wide <= 1 || k <= last) break
      k = Math.max(last, Math.min(k - 1, place(scales[k]! / (wide * farther))))
    }
    if (isMissed(k)) rule++
    let isMissedSomewhere = isMissed(k)
    for (let j = first; j >= last && !isMissedSomewhere; j--) {
      if (!isMissed(j)) continue
      const wide = widthAt(j)
      isMissedSomewhere = wide <= 1 && (j === first || wide >= 1 - narrower)
    }
    if (isMissedSomewhere) worst++
  }
  return { rule: rule / draws / doubt, worst: worst / draws / doubt }
}

/** Errors at all scales: from one to the next the noise stays as it is with the probability of the ratio's square, or more is added. */
function chain(unit: number, laplace: (scale: number) => number, random: () => number): number[] {
  let error = laplace(unit * scales[0]!)
  return scales.map((scale, k) => {
    if (k > 0 && random() > (scales[k - 1]! / scale) ** 2) error += laplace(unit * scale)
    return error
  })
}

const place = (scale: number): number =>
  Math.max(
    0,
    scales.findLastIndex((one) => one <= scale),
  )

/** Half the width that the sum of Laplace noises of scales 1 and `other` exceeds with this doubt, by a table. */
function widthsAt(doubt: number): (other: number) => number {
  const perUnit = 50
  const table = Array.from({ length: 20 * perUnit + 2 }, (_, i) => halfWidth(i / perUnit, doubt))
  return (other) => {
    const at = Math.min(20 * perUnit, other * perUnit)
    const i = Math.floor(at)
    return table[i]! + (at - i) * (table[i + 1]! - table[i]!)
  }
}

function halfWidth(other: number, doubt: number): number {
  const [a, b] = [Math.max(1, other), Math.min(1, other, 0.999 * Math.max(1, other))]
  const tail = (h: number) =>
    b < 1e-9 ? Math.exp(-h / a) : (a * a * Math.exp(-h / a) - b * b * Math.exp(-h / b)) / (a * a - b * b)
  let [low, high] = [0, 60 * a]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (tail(middle) <= doubt) high = middle
    else low = middle
  }
  return high
}

/** A half-width that hangs on itself, as an interval's ends lie beyond the ratio. */
function settled(of: (w: number) => number): number {
  let w = 0
  for (let i = 0; i < 6; i++) w = of(w)
  return w
}

function geometric(from: number, to: number, by: number): number[] {
  const made: number[] = []
  for (let x = from; x < to; x *= by) made.push(x)
  return made
}
