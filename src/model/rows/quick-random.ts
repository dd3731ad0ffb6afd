/**
 * Whole numbers below 2^32, quickly, from a state that `random` fills: shuffles and swaps want millions. Marsaglia's
 * xorshift128. They decide which of equally good tables is written, and nothing about privacy.
 */
export function quickRandom(random: () => number): () => number {
  const word = () => Math.floor(random() * 2 ** 32) | 0
  let [x, y, z, w] = [word() | 1, word(), word(), word()]
  return () => {
    const t = x ^ (x << 11)
    x = y
    y = z
    z = w
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8)
    return w >>> 0
  }
}

/** Below `count`, each as likely as the others up to count/2^32. */
export const below = (count: number, words: () => number): number => Math.floor((words() / 2 ** 32) * count)

/** Brings from … to - 1 into a random order. */
export function shuffle(values: Int32Array, from: number, to: number, words: () => number): void {
  for (let i = to - 1; i > from; i--) {
    const j = from + below(i - from + 1, words)
    const value = values[i]!
    values[i] = values[j]!
    values[j] = value
  }
}
