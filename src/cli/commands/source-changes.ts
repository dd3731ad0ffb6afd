import type { Source } from '../../schema/index.ts'

/** How a change of the source is noticed, what may be missed between full checks, and what a refinement is proved for. */
const words: { readonly [K in Source['kind']]: string } = {
  duckdb:
    'Before every question, changed files are detected by size, timestamps and inode. A refinement reads all of them first.',
  postgres:
    'Before every question, a changed table is detected by the server’s counters of changed rows, its size and its file; a change committed less than a minute ago may be missed. A refinement reads all of it first, in the transaction that answers.',
  trino:
    'Before every question, a changed table is detected by its snapshot or, if its connector has none, by reading all of it.',
}

export const sourceChanges = ({ kind }: Source): string => words[kind]
