import { describe, type LinearQuery } from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { PartReport } from '../answer.ts'
import type { Choice } from './choice.ts'
import { costOf } from './cost.ts'
import { scaleOf } from './priced-part.ts'

/** What a part of a question is answered with, in words. */
export const reportOf = (
  { query, choice }: { readonly query: LinearQuery; readonly choice: Choice },
  book: Book,
): PartReport => ({
  description: describe(query, book.universe),
  epsilon: choice.kind === 'free' ? 0 : costOf(choice.price, book).epsilon,
  scale: choice.kind === 'free' ? 0 : scaleOf(choice.charge),
})
