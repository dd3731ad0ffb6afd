/** cos and -sin of 2πk/size for k < size/2, by size: the transforms of one law after another share them. */
const turns = new Map<number, { cosine: Float64Array; sine: Float64Array }>()

function turnsOf(size: number) {
  const known = turns.get(size)
  if (known) return known
  const cosine = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size))
  const sine = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size))
  const made = { cosine, sine }
  turns.set(size, made)
  return made
}

/** The smallest power of two that is at least n. */
export const powerOfTwo = (n: number): number => 2 ** Math.max(0, Math.ceil(Math.log2(n)))

/**
 * The discrete Fourier transform Σ_k z_k·exp(-2πijk/n) in place (Cooley and Tukey's, radix 2); n is a power of two.
 * With the two arrays exchanged it is the inverse, times n. Every output is off by at most about 10^-16·log2(n) of the
 * input's Euclidean norm times √n.
 */
export function fft(real: Float64Array, imaginary: Float64Array): void {
  const n = real.length
  if (n !== powerOfTwo(n) || imaginary.length !== n) throw new RangeError('a transform needs a power of two')
  reverseBits(real, imaginary)
  const { cosine, sine } = turnsOf(n)
  for (let half = 1; half < n; half *= 2) {
    const stride = n / (2 * half)
    for (let start = 0; start < n; start += 2 * half) {
      for (let k = 0; k < half; k++) {
        const i = start + k
        const j = i + half
        const t = k * stride
        const x = real[j]! * cosine[t]! - imaginary[j]! * sine[t]!
        const y = real[j]! * sine[t]! + imaginary[j]! * cosine[t]!
        real[j] = real[i]! - x
        imaginary[j] = imaginary[i]! - y
        real[i]! += x
        imaginary[i]! += y
      }
    }
  }
}

/** Puts every element where its index, read backwards in binary, says. */
function reverseBits(real: Float64Array, imaginary: Float64Array): void {
  const n = real.length
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      const [x, y] = [real[i]!, imaginary[i]!]
      real[i] = real[j]!
      imaginary[i] = imaginary[j]!
      real[j] = x
      imaginary[j] = y
    }
  }
}

/** Up to this length of the shorter one the schoolbook sum is faster. */
const direct = 64

/** Σ_j u_j·v_(k-j) for all k: the law of a sum of two independent numbers from their laws. */
export function convolve(u: Float64Array, v: Float64Array): Float64Array {
  return Math.min(u.length, v.length) <= direct ? convolveDirectly(u, v) : convolveByTransform(u, v)
}

/** The same sum as written: |u|·|v| products, and no rounding but theirs. */
export function convolveDirectly(u: Float64Array, v: Float64Array): Float64Array {
  const [short, long] = u.length < v.length ? [u, v] : [v, u]
  const sum = new Float64Array(u.length + v.length - 1)
  for (let i = 0; i < short.length; i++) {
    const factor = short[i]!
    for (let j = 0; j < long.length; j++) sum[i + j]! += factor * long[j]!
  }
  return sum
}

/** One transform carries both as z = u + iv: z convolved with itself is u∗u - v∗v + 2i·u∗v. */
function convolveByTransform(u: Float64Array, v: Float64Array): Float64Array {
  const length = u.length + v.length - 1
  const n = powerOfTwo(length)
  const [real, imaginary] = [new Float64Array(n), new Float64Array(n)]
  real.set(u)
  imaginary.set(v)
  fft(real, imaginary)
  for (let k = 0; k < n; k++) {
    const [x, y] = [real[k]!, imaginary[k]!]
    real[k] = x * x - y * y
    imaginary[k] = 2 * x * y
  }
  fft(imaginary, real)
  return Float64Array.from({ length }, (_, k) => imaginary[k]! / (2 * n))
}
