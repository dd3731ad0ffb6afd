import {
  combinedTables,
  type ErrorLaw,
  errorLawByCharacteristic,
  openHistory,
  type Term,
} from '../../../inference/index.ts'
import { countAll, type LinearQuery, type Measurement, marginal, marginalOver } from '../../../query/index.ts'
import { problem, type ReticentError, type Universe } from '../../../schema/index.ts'

/** The best estimates of some marginals from all full marginals that were ever released: they agree with each other. */
export interface Combined {
  readonly tables: readonly Float64Array[]
  /** Of every attribute that is in one of them. */
  readonly oneWay: ReadonlyMap<string, Float64Array>
  /** The number of records. */
  readonly total: number
}

/** How far off they are. All cells of a marginal are estimated in the same way, so their errors have one law. */
export interface Precision {
  readonly tables: readonly CellLaw[]
  readonly oneWay: ReadonlyMap<string, CellLaw>
  readonly total: CellLaw
}
export interface CellLaw {
  readonly variance: number
  /** Half the width of an interval that holds the true count with at least this confidence. */
  halfWidth(confidence: number): number
}

/** What tables are made of: whole marginals, the number of records among them. */
export const wholeMarginals = (measurements: readonly Measurement[]): Measurement[] =>
  measurements.filter(({ query }) => marginalOver(query) !== undefined)

const attributesIn = (marginals: readonly (readonly string[])[]): string[] => [...new Set(marginals.flat())]

/** In closed form: time linear in the cells (docs/algorithms/blue.md). The measurements must determine all that is wanted. */
export function combine(
  universe: Universe,
  marginals: readonly (readonly string[])[],
  measurements: readonly Measurement[],
): Combined {
  const attributes = attributesIn(marginals)
  const queries = [countAll, ...attributes.map((name) => marginal([name])), ...marginals.map(marginal)]
  const [total, ...tables] = combinedTables(universe, measurements, queries)
  return {
    tables: tables.slice(attributes.length),
    oneWay: new Map(attributes.map((name, i) => [name, tables[i]!])),
    total: total![0]!,
  }
}

/** Throws if the measurements do not determine all that is wanted. `random` is for the estimate's proofs. */
export function precisionOf(
  universe: Universe,
  marginals: readonly (readonly string[])[],
  { measurements, random }: { readonly measurements: readonly Measurement[]; readonly random: () => number },
): Precision {
  const history = openHistory(universe, { random })
  for (const measurement of measurements) history.append(measurement)
  const errorLawOf = sharedLaws()
  const made = (attributes: readonly string[]) => {
    const estimate = history.estimate(firstCell(attributes))
    if (!estimate.estimable) throw undetermined(attributes)
    return estimate
  }
  // A law may have as many terms as there are measurements: none is kept, but made again when it is asked for.
  const law = (attributes: readonly string[]): CellLaw => ({
    variance: made(attributes).variance,
    halfWidth: (confidence) => errorLawOf(made(attributes).coefficients).halfWidth(confidence),
  })
  return {
    tables: marginals.map(law),
    oneWay: new Map(attributesIn(marginals).map((name) => [name, law([name])])),
    total: law([]),
  }
}

/** Laws of more terms than this are seldom the same, and long to compare. */
const few = 256

/** Laws of errors, each made once: where tables are alike in shape and noise, most of them have one law. */
function sharedLaws(): (terms: readonly Term[]) => ErrorLaw {
  const made = new Map<string, ErrorLaw>()
  return (terms) => {
    if (terms.length > few) return errorLawByCharacteristic(terms)
    const sorted = terms.toSorted((x, y) => x.coefficient - y.coefficient || x.count - y.count)
    const key = JSON.stringify(sorted)
    const known = made.get(key) ?? errorLawByCharacteristic(sorted)
    made.set(key, known)
    return known
  }
}

/** The number of records that have the first value of each of these. */
const firstCell = (attributes: readonly string[]): LinearQuery => ({
  ...countAll,
  terms: [
    {
      coefficient: 1,
      factors: Object.fromEntries(attributes.map((name) => [name, { kind: 'interval', from: 0, to: 0 }])),
    },
  ],
})

/** Where the history is not enough: for one of several tables, or for the number of records. */
export const undetermined = (attributes: readonly string[]): ReticentError =>
  attributes.length === 0
    ? problem('not-estimable', 'earlier answers do not determine the number of records', 'Buy the tables: --epsilon E.')
    : problem(
        'not-estimable',
        `earlier answers do not determine the table of ${attributes.join(' × ')}`,
        'Buy it: --epsilon E. Or leave it out: --of lists the tables to write.',
      )
