import { describe, expect, test } from 'vitest'
import { attribute, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { startPostgres, withoutPostgres } from '../support/postgres.ts'

// The attack: one partition of the table is in another server. Whoever writes there changes the source, and none of the counters here that a quick
// check looks at: the next question would be answered from other data than it is charged for.

const u = universe([attribute({ kind: 'integer', name: 'n', low: 0, high: 9, closed: false })])

describe.skipIf(await withoutPostgres('foreign partitions, in PostgreSQL'))('in PostgreSQL', () => {
  test.each([
    ['a partition', 'PARTITION OF people FOR VALUES FROM (0) TO (5)', '', 'PARTITION BY RANGE (n)'],
    ['a table that inherits', '()', 'INHERITS (people)', ''],
  ])('%s in another server is refused, also below a view', async (_, part, inherits, parted) => {
    const database = await startPostgres()
    try {
      // A wrapper without a handler is enough to be a foreign table: nothing is read.
      await database.run(`CREATE FOREIGN DATA WRAPPER elsewhere; CREATE SERVER far FOREIGN DATA WRAPPER elsewhere;
        CREATE TABLE people (n integer) ${parted}; CREATE VIEW everybody AS SELECT * FROM people`)
      const refusal = async (source: { readonly table?: string; readonly sql?: string }) => {
        const given = { kind: 'postgres', url: database.url, ...source } as const
        const engine = await openEngine({ source: given, universe: u, unit: { kind: 'row' }, key: new Uint8Array(32) })
        return engine
          .snapshot()
          .then(
            () => undefined,
            (error) => error,
          )
          .finally(() => engine.close())
      }
      const sources = [{ table: 'people' }, { sql: 'SELECT n FROM people' }, { sql: 'SELECT n FROM everybody' }]
      for (const source of sources) expect(await refusal(source)).toBeUndefined()
      await database.run(`CREATE FOREIGN TABLE other ${part} ${inherits} SERVER far`)
      for (const source of sources)
        expect(await refusal(source)).toMatchObject({
          code: 'source-unreadable',
          message: expect.stringContaining('foreign'),
        })
    } finally {
      await database.stop()
    }
  })
})
