import type { Policy } from '../../schema/index.ts'
import type { Book, Ledger } from '../../trusted/ledger/index.ts'

/**
 * Writes down which guards are kept from now on, where they are not those that were kept so far: what was sold before a
 * guard was put up is judged otherwise than what is sold under it.
 */
export async function putUpGuards(
  { guards }: Pick<Policy, 'guards'>,
  { book, ledger }: { readonly book: Book; readonly ledger: Ledger },
): Promise<void> {
  if (book.keepsGuards(guards)) return
  await ledger.append({ kind: 'guards', guards })
  await book.follow()
}
