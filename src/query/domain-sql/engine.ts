import type { DuckDBConnection } from '@duckdb/node-api'
import { problem } from '../../schema/index.ts'

/**
 * An in-memory DuckDB that computes functions of public domains. It never sees private data, and reaches no file, no network
 * and no extension. Started on first use, since most statements need no more than comparisons.
 */
let started: Promise<DuckDBConnection> | undefined

/** No statement over a domain may take longer. */
const seconds = 10

const settings = {
  enable_external_access: 'false',
  autoload_known_extensions: 'false',
  autoinstall_known_extensions: 'false',
  threads: '1',
  memory_limit: '768MB',
  max_temp_directory_size: '0GB',
}

/**
 * What is no number ends in an error, which TRY makes NULL: SQL's errors of single rows. error() itself is not allowed there. It is the
 * only macro, and uses its argument once: DuckDB would copy others, so that nested ones grew without anybody seeing how long they are.
 */
const failure = "CREATE MACRO fail(x) AS CAST('!' || CAST(x AS VARCHAR) AS BIGINT)"

async function start(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', settings)
  const connection = await instance.connect()
  await connection.run(failure)
  // Its optimiser (1.5) makes date_trunc('year', d) = DATE '2020-06-01' false, not NULL, where d is NULL.
  await connection.run('PRAGMA disable_optimizer')
  await connection.run('SET lock_configuration = true')
  return connection
}

/** One statement after the other: they share a connection, and its tables. */
let last: Promise<unknown> = Promise.resolve()

/** Runs statements with nobody else in between; interrupted where they take too long. */
export function withEngine<T>(run: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const turn = last.then(async () => {
    started ??= start()
    const connection = await started
    let late = false
    const timer = setTimeout(() => {
      late = true
      connection.interrupt()
    }, seconds * 1000)
    const tooLate = () => problem('sql-unsupported', `an expression takes more than ${seconds} seconds to compute`)
    try {
      const done = await run(connection)
      // A stream that was interrupted ends as if it were complete.
      if (late) throw tooLate()
      return done
    } catch (error) {
      throw late ? tooLate() : error
    } finally {
      clearTimeout(timer)
    }
  })
  last = turn.catch(() => undefined)
  return turn
}
