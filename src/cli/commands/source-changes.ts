import type { Source } from '../../schema/index.ts'

/** How a change of the source is noticed, what may be missed between full checks, and what a refinement is proved for. */
const words: { readonly [K in Source['kind']]: string } = {
  duckdb:
    'A change of the files is noticed by size, times and number before every question. A refinement reads all of them first.',
  postgres:
    'A change of the table is noticed before every question by the server’s counters of changed rows, its size and its file; a change that was committed a moment ago, up to a minute, may be missed. A refinement reads all of it first, in the transaction that answers.',
  trino:
    'A change of the table is noticed before every question: by its snapshot, or, where its connector has none, by reading all of it.',
}

export const sourceChanges = ({ kind }: Source): string => words[kind]
