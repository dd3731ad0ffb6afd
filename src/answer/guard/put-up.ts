import type { Policy } from '../../schema/index.ts'
import type { Book, Ledger } from '../../trusted/ledger/index.ts'

/**
 * Records which guards apply from now on, if these have changed: what was sold before a guard began is judged differently
 * from what is sold under it.
 */
export async function putUpGuards(
  { guards }: Pick<Policy, 'guards'>,
  { book, ledger }: { readonly book: Book; readonly ledger: Ledger },
): Promise<void> {
  if (book.keepsGuards(guards)) return
  await ledger.append({ kind: 'guards', guards })
  await book.follow()
}
