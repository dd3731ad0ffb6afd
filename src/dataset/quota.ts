import { type Policy, problem, suggesting } from '../schema/index.ts'
import type { Book } from '../trusted/ledger/index.ts'
import type { Quota } from '../trusted/meter/index.ts'

/** The budget of the analyst who asks; null if the policy names no analysts. */
export function quotaOf({ privacy: { analysts } }: Policy, name: string | undefined, book: Book): Quota | null {
  if (!analysts && name === undefined) return null
  const hint = analysts ? `The policy names ${[...analysts.keys()].join(', ')}.` : 'Leave out --as.'
  if (name === undefined) throw problem('analyst-required', 'say who is asking: --as NAME', hint)
  const cap = analysts?.get(name)
  if (cap) return { name, cap: book.capOf(cap) }
  const message = `the policy names no analyst ${suggesting(name, analysts?.keys() ?? [])}`
  throw problem('analyst-unknown', message, hint, { name })
}
