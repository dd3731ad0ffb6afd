import type { Universe } from '../../schema/index.ts'
import { censusUniverse } from '../census/attributes.ts'
import { generateCensus } from '../census/generate.ts'

/** A table as codes, one column per attribute of the universe, in its order. */
export interface CodedTable {
  readonly name: string
  readonly universe: Universe
  readonly rows: number
  readonly columns: readonly Uint16Array[]
}

/** Invented people with the domains of Table 4's Brazil. */
export const generatedTable = (rows: number, seed: number): CodedTable => ({
  name: 'generated census',
  universe: censusUniverse,
  ...generateCensus({ rows, seed }),
})
