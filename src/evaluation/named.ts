import { problem, suggesting } from '../schema/index.ts'

/** The one of this name; throws with the nearest one and the list. */
export function named<T extends { readonly name: string }>(what: string, all: readonly T[], name: string): T {
  const found = all.find((each) => each.name === name)
  if (found) return found
  const known = all.map((each) => each.name)
  throw problem('unknown-name', `there is no ${what} ${suggesting(name, known)}`, `There are ${known.join(', ')}.`, {
    name,
    known,
  })
}
