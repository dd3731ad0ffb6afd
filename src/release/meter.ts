import type { LinearQuery, Measurement, NoiseLaw } from '../query/index.ts'

/** A query to buy, and the noise it is bought with. */
export interface Purchase {
  readonly query: LinearQuery
  readonly law: NoiseLaw
}

/**
 * What a release sees of the meter: it asks, pays, and gets noisy answers, all or none. On whose behalf is settled by
 * whoever hands it over.
 */
export interface Meter<Receipt extends { readonly measurements: readonly Measurement[] }> {
  measure(purchases: readonly Purchase[]): Promise<Receipt>
}

/** The noise of queries that are bought together, for a price that is settled and that they share equally. */
export type Noise = (queries: readonly LinearQuery[]) => readonly NoiseLaw[]
