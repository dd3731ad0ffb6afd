/** A warning where tables of zeros would be as good. */
export function noiseWarnings(
  { measured, zeros }: { readonly measured: number; readonly zeros?: number },
  tense: 'are' | 'would be',
): string[] {
  if (zeros === undefined || measured <= zeros) return []
  const [error, ofZeros] = [measured, zeros].map((value) => Number(value.toPrecision(3)))
  return [
    `These tables ${tense} mostly noise: their expected overall error is ${error}, and tables of zeros would have ${ofZeros}. Give more ε, or ask for fewer or smaller marginals.`,
  ]
}

/** So many tables are named; release.json has all of them. */
const mostNamed = 10

/** Names the tables that a guard held back. */
export function heldBackWarnings(heldBack: readonly (readonly string[])[]): string[] {
  if (heldBack.length === 0) return []
  const named = heldBack.slice(0, mostNamed).map((attributes) => attributes.join(' × '))
  const others = heldBack.length - named.length
  const all = others > 0 ? [...named, `${others} more (heldBack in release.json)`] : named
  return [
    `A guard of the policy held back ${all.join(', ')}: it does not allow less noise there. What that would have cost went to other tables, or is not spent.`,
  ]
}

/** Of a plan. */
export const guardWarning =
  'A guard of the policy may hold tables back: they then keep more noise than planned, and what that saves goes to the others, or is not spent.'
