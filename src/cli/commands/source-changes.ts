import type { Source } from '../../schema/index.ts'

/** How a change of the source is noticed, what may be missed between full checks, and what a refinement is proved for. */
const words: { readonly [K in Source['kind']]: string } = {
  duckdb:
    'Before every question, changed files are detected by size, timestamps and inode. Not noticed: somebody who changes a file and sets all of these back. Answers can be refined: a refinement reads all files first.',
  postgres:
    'Before every question, a changed source is detected by what the server knows of its tables and views: counters of changed rows, sizes, files, columns and definitions. A change committed less than a minute ago may be missed, and a change of what a user-defined function or cast reads. Answers can be refined: a refinement reads everything first, in the transaction that answers.',
  trino:
    'Before every question, a changed table is detected by its snapshot or, if its connector has none, by reading all of it.',
}

export const sourceChanges = ({ kind }: Source): string => words[kind]
