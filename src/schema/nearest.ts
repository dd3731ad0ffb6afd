/**
 * The candidate that a mistyped word most likely meant, without regard to case; undefined if none is close enough
 * to be a plausible slip: one edit, or one per three letters in a longer word. Equally close: the first one.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = [...word.toLowerCase()]
  let limit = Math.max(1, Math.floor(typed.length / 3))
  let best: string | undefined
  for (const candidate of candidates) {
    const letters = [...candidate.toLowerCase()]
    const longer = Math.max(letters.length, typed.length)
    if (Math.abs(letters.length - typed.length) > limit) continue
    const edits = editDistance(typed, letters)
    if (edits > limit || (edits > 0 && edits === longer)) continue
    best = candidate
    limit = edits - 1
    if (limit < 0) break
  }
  return best
}

/** A word that there is none of, quoted, and the one that was meant. */
export function suggesting(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates)
  return `${JSON.stringify(word)}${meant ? `; did you mean ${meant}?` : ''}`
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let beforeLast = new Uint32Array(b.length + 1)
  let last = Uint32Array.from(beforeLast, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = new Uint32Array(b.length + 1)
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1)
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[b.length]!
}
