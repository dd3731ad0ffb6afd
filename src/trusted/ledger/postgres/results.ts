import type { Client, QueryConfig, QueryResult } from 'pg'

/**
 * What the server replies to a message: one result for each of its statements, as their commands say. Something on the way
 * that sends a message twice, or not at all, puts replies and messages out of step; then no reply on this connection counts.
 */
export async function resultsOf(
  client: Client,
  message: string | QueryConfig,
  ...commands: readonly string[]
): Promise<QueryResult[]> {
  const found: unknown = await client.query(message).catch((error) => {
    // The driver's own, where a row does not have the columns that were announced.
    throw error instanceof TypeError ? outOfStep() : error
  })
  const results = (Array.isArray(found) ? found : [found]) as QueryResult[]
  if (results.length === commands.length && results.every((result, i) => isOf(result, commands[i]!))) return results
  throw outOfStep()
}

/** The rows of a SELECT that is sent by itself; `first` is the name of its first column. */
export async function rowsOf<R extends object>(
  client: Client,
  message: string | QueryConfig,
  first: string,
): Promise<R[]> {
  const [result] = await resultsOf(client, message, 'SELECT')
  if (result!.fields[0]?.name === first) return result!.rows
  throw outOfStep()
}

/** The server counts the rows that it sends, those of an INSERT only where it announces columns. */
const isOf = ({ command, rowCount, rows, fields }: QueryResult, wanted: string): boolean =>
  command === wanted && ((command !== 'SELECT' && fields.length === 0) || rows.length === rowCount)

/** As PostgreSQL itself calls it. */
const outOfStep = () => Object.assign(new Error('replies are out of step'), { code: '08P01' })
