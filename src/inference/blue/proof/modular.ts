/** Arithmetic modulo a prime between 2^29 and 2^30, in 32-bit integers. */
export class Field {
  readonly prime: number
  readonly #inverse: number

  constructor(prime: number) {
    this.prime = prime
    this.#inverse = 1 / prime
  }

  /** The residue of any integer that a double holds exactly. */
  of(integer: number): number {
    if (integer >= 0 && integer < this.prime) return integer
    const residue = integer % this.prime
    return residue < 0 ? residue + this.prime : residue + 0
  }

  add(a: number, b: number): number {
    const sum = a + b
    return sum >= this.prime ? sum - this.prime : sum
  }

  subtract(a: number, b: number): number {
    return a < b ? a - b + this.prime : a - b
  }

  /** The quotient from doubles is off by at most one; the remainder follows from the low 32 bits alone. */
  multiply(a: number, b: number): number {
    const quotient = Math.floor(a * b * this.#inverse)
    const remainder = (Math.imul(a, b) - Math.imul(quotient, this.prime)) | 0
    return remainder < 0 ? remainder + this.prime : remainder >= this.prime ? remainder - this.prime : remainder
  }

  power(base: number, exponent: number): number {
    let [result, square] = [1, base]
    for (let e = exponent; e > 0; e = Math.floor(e / 2)) {
      if (e % 2 === 1) result = this.multiply(result, square)
      square = this.multiply(square, square)
    }
    return result
  }

  /** The residue of an integer below 2^52. */
  reduce(integer: number): number {
    const residue = integer - Math.floor(integer * this.#inverse) * this.prime
    return residue < 0 ? residue + this.prime : residue >= this.prime ? residue - this.prime : residue
  }

  /** Of a residue other than 0. */
  invert(a: number): number {
    return this.power(a, this.prime - 2)
  }
}

/** A prime drawn from the 2·10^7 between 2^29 and 2^30, so that nobody can make queries that are equal modulo it. */
export function randomPrime(random: () => number): number {
  for (;;) {
    const candidate = 2 ** 29 + 2 * Math.floor(random() * 2 ** 28) + 1
    if (isPrime(candidate)) return candidate
  }
}

function isPrime(odd: number): boolean {
  for (let d = 3; d * d <= odd; d += 2) if (odd % d === 0) return false
  return true
}
