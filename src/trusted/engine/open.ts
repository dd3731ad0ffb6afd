import { ReticentError, type Source, type Unit, type Universe } from '../../schema/index.ts'
import type { Engine } from './engine.ts'

export interface EngineOptions {
  readonly source: Source
  readonly universe: Universe
  readonly unit: Unit
  /** The ledger's secret: for fingerprints and for the choice among one person's rows. */
  readonly key: Uint8Array
}

/** Opens the table that a policy names. Each database's code is loaded only when it is needed. */
export async function openEngine({ source, ...rest }: EngineOptions): Promise<Engine> {
  if (source.kind === 'duckdb') return (await import('./duckdb/index.ts')).openDuckdb({ source, ...rest })
  throw new ReticentError(
    'not-supported',
    { source: source.kind },
    { message: `sources of the kind ${source.kind} are not supported yet`, hint: 'Use `duckdb:` with a file.' },
  )
}
