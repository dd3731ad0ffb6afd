/** A LIKE pattern: literal characters, '_' for any one, '%' for any number of them. */
type Pattern = readonly Token[]
type Token =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'many' }

/** Reads a pattern; undefined when it ends in its escape character. An empty escape means that there is none. */
export function likePattern(text: string, escapeCharacter: string): Pattern | undefined {
  const out: Token[] = []
  const characters = [...text]
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i]!
    if (c === escapeCharacter) {
      if (++i === characters.length) return undefined
      out.push({ kind: 'character', character: characters[i]! })
    } else out.push(c === '%' ? { kind: 'many' } : c === '_' ? { kind: 'one' } : { kind: 'character', character: c })
  }
  return out
}

/** Whether the whole text fits. Remembers only the last '%', so its time is at most the product of the lengths. */
export function matches(pattern: Pattern, text: string): boolean {
  const characters = [...text]
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < characters.length) {
    const token = pattern[p]
    if (token?.kind === 'many') {
      star = p++
      resume = t
    } else if (token && (token.kind === 'one' || token.character === characters[t])) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else return false
  }
  while (pattern[p]?.kind === 'many') p++
  return p === pattern.length
}
