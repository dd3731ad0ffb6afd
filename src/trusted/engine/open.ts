import { ReticentError, type Source } from '../../schema/index.ts'
import type { Engine } from './engine.ts'
import { type Database, type Reading, SqlEngine } from './sql/index.ts'

interface EngineOptions extends Reading {
  readonly source: Source
}

/** The database that a source is in. Each one's code is loaded only when it is needed. */
export async function databaseOf(source: Source): Promise<Database> {
  if (source.kind === 'duckdb') return (await import('./duckdb/index.ts')).duckdbDatabase(source)
  throw new ReticentError(
    'not-supported',
    { source: source.kind },
    { message: `sources of the kind ${source.kind} are not supported yet`, hint: 'Use `duckdb:` with a file.' },
  )
}

/** Opens the table that a policy names. */
export const openEngine = async ({ source, ...reading }: EngineOptions): Promise<Engine> =>
  new SqlEngine(await databaseOf(source), reading)
