import { expect, test } from 'vitest'
import { countAll, type Integers, marginal } from '../../src/query/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import type { Exact } from '../../src/trusted/exact/index.ts'
import { open } from '../../src/trusted/exact/open.ts'
import { startPostgres, withoutPostgres } from '../support/postgres.ts'

const values = (a: Exact<Integers>) => Array.from(open(a) as Float64Array)
const n = attribute({ kind: 'integer', name: 'n', low: 0, high: 9, closed: false })

// The server lets the view be replaced once the snapshot's transaction has ended, which takes a while.
test.skipIf(await withoutPostgres('views that change'))(
  'a view in PostgreSQL that changes, and a table whose rows do, are noticed',
  async () => {
    const database = await startPostgres()
    await database.run('CREATE TABLE moving AS SELECT 1 AS n; CREATE VIEW seen AS SELECT n FROM moving')
    const engine = await openEngine({
      source: { kind: 'postgres', url: database.url, sql: 'SELECT n FROM seen' },
      universe: universe([n]),
      unit: { kind: 'row' },
      key: new Uint8Array(32),
    })
    const before = await engine.snapshot()
    await before.full()
    await database.run('CREATE OR REPLACE VIEW seen AS SELECT n + 1 AS n FROM moving')
    await expect(before.answer([countAll])).rejects.toMatchObject({ code: 'source-changed' })
    const after = await engine.snapshot()
    expect(values((await after.answer([marginal(['n'])]))[0]!)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    await database.run('INSERT INTO moving VALUES (5); SELECT pg_stat_force_next_flush()')
    await expect.poll(() => after.answer([countAll]).catch((e) => e.code)).toBe('source-changed')
    await engine.close()
    await database.stop()
  },
)
