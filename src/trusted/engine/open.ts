import type { Source } from '../../schema/index.ts'
import type { Engine } from './engine.ts'
import { type Database, type Reading, SqlEngine } from './sql/index.ts'

interface EngineOptions extends Reading {
  readonly source: Source
}

/** The database that a source is in. Each one's code is loaded only when it is needed. */
export async function databaseOf(source: Source): Promise<Database> {
  switch (source.kind) {
    case 'duckdb':
      return (await import('./duckdb/index.ts')).duckdbDatabase(source)
    case 'postgres':
      return (await import('./postgres/index.ts')).postgresDatabase(source)
    case 'trino':
      return (await import('./trino/index.ts')).trinoDatabase(source)
  }
}

/** Opens the table that a policy names. */
export const openEngine = async ({ source, ...reading }: EngineOptions): Promise<Engine> =>
  new SqlEngine(await databaseOf(source), reading)
