/** A part num/den of one of the basis' queries. */
export interface Share {
  readonly place: number
  readonly num: number
  readonly den: number
}

/**
 * The simplest fractions near a solution, without its zeros; undefined where one is not simple. Near any number there is
 * a fraction with a denominator of about 1/√tolerance, so only far smaller ones mean something.
 */
export function sharesOf(solution: Float64Array, tolerance: number): Share[] | undefined {
  const shares: Share[] = []
  for (let place = 0; place < solution.length; place++) {
    const value = solution[place]!
    if (Math.abs(value) <= tolerance) continue
    const within = tolerance * Math.max(1, Math.abs(value))
    const whole = Math.round(value)
    const [num, den] = Math.abs(value - whole) <= within ? [whole, 1] : simplest(value, within)
    if ((den > 1 && den * den * within > 0.04) || !Number.isSafeInteger(num)) return undefined
    shares.push({ place, num, den })
  }
  return shares
}

/** The fraction with the smallest denominator within ±tolerance, by Stern and Brocot's descent in strides. */
function simplest(value: number, tolerance: number): readonly [number, number] {
  if (value < 0) {
    const [num, den] = simplest(-value, tolerance)
    return [-num, den]
  }
  return between(value - tolerance, value + tolerance, 40)
}

/** The simplest fraction between two positive numbers. */
function between(low: number, high: number, depth: number): readonly [number, number] {
  const whole = Math.ceil(low)
  if (whole <= high || depth === 0) return [whole, 1]
  const floor = Math.floor(low)
  const [num, den] = between(1 / (high - floor), 1 / (low - floor), depth - 1)
  return [floor * num + den, num]
}

/** Of integers, not both 0. */
export function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)]
  while (y > 0) [x, y] = [y, x % y]
  return x
}
