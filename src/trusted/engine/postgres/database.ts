import { ReticentError } from '../../../schema/index.ts'
import { keyedHash } from '../../hash/index.ts'
import { beginTransaction, Looker } from '../../postgres/index.ts'
import { type Column, type Database, double, type Look, quote, type Session, unreadable } from '../sql/index.ts'
import { columnOf, postgres } from './dialect.ts'
import { changesSql, factsSql, type PostgresSource, readableTables, relationsOf, requireDistinct } from './relations.ts'

/** Seconds that one statement may take, unless the policy says otherwise. */
const defaultTimeout = 600

/** A table, or an owner's SELECT, in a PostgreSQL. */
export function postgresDatabase(source: PostgresSource): Database<Look> {
  const looker = new Looker(source.url)
  return {
    dialect: postgres,
    look: (key) => looker.look(async (all) => ({ quick: quickDigest(source, key, await facts(source, all)) })),
    open: () => open(source),
    digest: (_, key, session) => contentDigest(source, key, session),
    tables: () => looker.look(readableTables),
    reports: async () => [],
  }
}

type All = Parameters<typeof relationsOf>[1]

/** What the server knows of the source without reading it. */
async function facts(source: PostgresSource, all: All): Promise<unknown[]> {
  // Whoever has not named a table yet looks for one.
  if (source.table === undefined && source.sql === undefined) return []
  const { tables, views } = await relationsOf(source, all)
  return [views, tables.length > 0 ? await all(factsSql(tables)) : [], await all(changesSql)]
}

const quickDigest = ({ table, sql }: PostgresSource, key: Uint8Array, found: unknown[]) =>
  keyedHash(key, JSON.stringify(['quick', table ?? null, sql ?? null, found]))

const records = 'records'

/** What a server refuses before it reads a row, such as the name of a column that is not there, is the policy's fault. */
const failingView = () =>
  unreadable(
    'the `sql:` of the policy fails',
    'Run it in psql, as the user of the policy: PostgreSQL says what is wrong.',
  )

async function open(source: PostgresSource): Promise<Session> {
  const transaction = await beginTransaction(source.url, source.timeout ?? defaultTimeout)
  try {
    const { select } = await relationsOf(source, transaction.all)
    const found = await transaction.columnsOf(select).catch((error) => {
      throw error instanceof ReticentError ? error : failingView()
    })
    requireDistinct(found)
    const columns = found.map(({ name, type }): [string, Column] => [name, columnOf(name, type)])
    const relation = `(${select}) AS ${records}`
    return {
      ...transaction,
      records: relation,
      columns: new Map(columns),
      files: relation,
      isDear: source.sql !== undefined,
      isRemote: true,
      sharesWith: true,
      chunks: () => Promise.reject(new RangeError('records do not leave PostgreSQL')),
      // In a read-only transaction no temporary table can be made: what is kept is the statement itself.
      keep: async (name, sql) => `(${sql}) AS ${name}`,
      drop: async () => {},
    }
  } catch (error) {
    await transaction.close()
    throw error
  }
}

/**
 * A keyed digest of all records as a multiset: the sum of their keyed hashes, in three parts of 60 bits, and their number. Which order the
 * server reads them in makes no difference, and who does not know the key cannot make two tables with one sum.
 */
async function contentDigest({ table, sql }: PostgresSource, key: Uint8Array, session: Session): Promise<string> {
  const rowKey = keyedHash(key, 'content of rows')
  // By its name alone a record might be taken for one of its columns.
  const hash = `encode(sha256(convert_to(${quote(rowKey)} || CAST(ROW(${records}.*) AS text), 'UTF8')), 'hex')`
  const parts = [1, 16, 31].map((from) => `sum(('x' || substr(hash, ${from}, 15))::bit(60)::bigint)::text`)
  let found: unknown[] = []
  await session.rows(
    `SELECT ${[double('count(*)'), ...parts].join(', ')} FROM (SELECT ${hash} AS hash FROM ${session.records}) AS hashes`,
    (at) => {
      found = [0, 1, 2, 3].map((column) => at(column))
    },
  )
  const columns = [...session.columns].map(([named, { type }]) => [named, type])
  return keyedHash(key, JSON.stringify(['full', table ?? null, sql ?? null, columns, found]))
}
