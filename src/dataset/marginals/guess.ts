import type { Session } from '../../answer/index.ts'
import { answerSize, marginal, marginalOver } from '../../query/index.ts'
import { type Consistent, consistentMarginals } from '../../release/index.ts'
import { attributeNamed, ReticentError, type Universe } from '../../schema/index.ts'
import { currentMeasurements } from '../history/measurements.ts'

/**
 * What a plan takes the tables to be. A uniform guess knows nothing, and real errors are larger. In the worst case, where not
 * even the number of records is known, no cell is above the floor; then nothing can be said of tables of zeros.
 */
export type GuessKind = 'history' | 'uniform' | 'both' | 'worst'

type Marginals = readonly (readonly string[])[]

/** Those of these tables that the history determines. */
export function guessFrom(marginals: Marginals, { book, random }: Pick<Session, 'book' | 'random'>) {
  const { universe } = book
  const measurements = currentMeasurements(book)
  const guess = (wanted: Marginals) =>
    ifEstimable(() => consistentMarginals(universe, wanted, { measurements, random }).unrounded)
  // A table is determined by one that has all of its attributes. Those of a single value are in every table.
  const measured = measurements.flatMap(({ query }) => {
    const names = marginalOver(query)
    return names ? [new Set(names)] : []
  })
  const determined = marginals.filter((attributes) => {
    const names = attributes.filter((name) => attributeNamed(universe, name).size > 1)
    return measured.some((table) => names.every((name) => table.has(name)))
  })
  const all = guess(determined)
  return new Map(
    determined.flatMap((attributes, i) => {
      const table = all ? all[i] : guess([attributes])?.[0]
      return table ? [[attributes, table]] : []
    }),
  )
}

/** A table of one cell holds the number of records, and says nothing about the others. */
export function kindOfGuess(
  marginals: Marginals,
  guessed: ReadonlyMap<readonly string[], unknown>,
  { universe, records }: { readonly universe: Universe; readonly records: number | undefined },
): GuessKind {
  const large = marginals.filter((attributes) => answerSize(marginal(attributes), universe) > 1)
  const known = large.filter((attributes) => guessed.has(attributes)).length
  if (known > 0) return known === large.length ? 'history' : 'both'
  return records === undefined ? 'worst' : 'uniform'
}

function ifEstimable(tables: () => Consistent['unrounded']): Consistent['unrounded'] | undefined {
  try {
    return tables()
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'not-estimable') return undefined
    throw error
  }
}
