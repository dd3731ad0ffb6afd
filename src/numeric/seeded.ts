/**
 * Whole numbers below 2^32 that two words decide: Chris Doty-Humphrey's sfc32 (PractRand), 128 bits of state and a counter
 * inside, so that every seed has a period of at least 2^32. What they blur is not private.
 */
export function seededWords(low: number, high: number): () => number {
  let [a, b, c, counter] = [low >>> 0, high >>> 0, 0x9e3779b9, 1]
  const word = (): number => {
    const sum = (a + b + counter) >>> 0
    counter = (counter + 1) >>> 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + sum) >>> 0
    return sum
  }
  // Neighbouring seeds differ in a bit or two; mix until nothing of that shows.
  for (let i = 0; i < 20; i++) word()
  return word
}

/** A double in [0, 1) with 53 random bits. */
export const uniformOf = (word: () => number): number => ((word() >>> 11) * 2 ** 32 + word()) / 2 ** 53

/** Numbers in [0, 1) that a text decides: what is simulated from the same public numbers comes out the same again. */
export function repeatable(text: string): () => number {
  // Fowler, Noll and Vo's hash (FNV-1a), of 16 bits at a time.
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  const word = seededWords(hash, text.length)
  return () => uniformOf(word)
}
