import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryOver } from '../../../../../test/contract/engine-queries.ts'
import { countAll, type LinearQuery, marginal } from '../../../../query/index.ts'
import { attribute, universe } from '../../../../schema/index.ts'
import { columnsOf } from '../../duckdb/database.ts'
import { duckdb } from '../../duckdb/dialect.ts'
import { type Connected, connect } from '../../duckdb/session.ts'
import { run } from '../answer.ts'
import { encodedSql, limitedSql } from '../encoding/records.ts'
import { type Plan, plan } from '../plan.ts'
import { scansOf } from '../scan.ts'

const u = universe([
  attribute({ kind: 'integer', name: 'age', low: 3, high: 40, closed: false }),
  attribute({ kind: 'values', name: 'size', values: ['S', 'M'], other: true, closed: false }),
  ...['p', 'q'].map((name) => attribute({ kind: 'boolean', name, closed: true })),
  ...['r', 's'].map((name) => attribute({ kind: 'boolean', name, closed: false })),
  attribute({ kind: 'values', name: 'one', values: ['x'], other: false, closed: true }),
])
const names = u.attributes.map(({ name }) => name)

let session: Connected
beforeAll(async () => {
  session = await connect()
  // More than two blocks, the last of them not full; r is never true in the first block, s is NULL at times.
  await session.connection.run(`CREATE TEMP TABLE records AS SELECT
    range % 97 AS who, range % 53 AS age, ['S', 'M', 'L', NULL][1 + range % 4] AS size, hash(range) % 2 = 0 AS p,
    hash(range + 1) % 5 = 0 AS q, range > 9000 AND range % 3 = 0 AS r,
    CASE WHEN range % 7 > 0 THEN hash(range) % 3 = 0 END AS s, 'x' AS one FROM range(20001)`)
})
afterAll(() => session.close())

/** The same plan with every GROUP BY taken out and its sets counted while the records are read once, or in two turns. */
function counted({ histograms, passes, pushed }: Plan, turns: number): Plan {
  const sets = [...histograms.flatMap((scan) => scan.sets), ...passes.flat()]
  const size = Math.ceil(sets.length / turns)
  return { histograms: [], passes: [sets.slice(0, size), sets.slice(size)].filter((some) => some.length > 0), pushed }
}
/** … and the other way round: one GROUP BY for each set. */
const grouped = ({ histograms, passes, pushed }: Plan): Plan => ({
  histograms: [...histograms, ...passes.flat().map((set) => ({ attributes: set.attributes, sets: [set] }))],
  passes: [],
  pushed,
})

async function relation(unit: 'rows' | 'people'): Promise<(attributes: readonly number[]) => string> {
  const encoding = { dialect: duckdb, universe: u, source: { records: 'records', columns: await columnsOf(session) } }
  if (unit === 'rows') return (attributes) => `(${encodedSql(encoding, attributes)}) AS codes`
  const kept = await session.keep('limited', limitedSql(encoding, { kind: 'column', column: 'who', rows: 50 }, 'key'))
  return () => kept
}

describe.each(['rows', 'people'] as const)('counting all sets in one pass gives what GROUP BYs do: %s', (unit) => {
  const answers = async (queries: readonly LinearQuery[], p: Plan) =>
    run(
      queries,
      u,
      p,
      scansOf({ ...session, records: '', columns: new Map(), files: '', isDear: false, isRemote: false }, duckdb, u, {
        from: await relation(unit),
      }),
    )

  test('all marginals of up to three attributes', async () => {
    const sets = names.flatMap((a, i) => [
      [a],
      ...names.slice(i + 1).flatMap((b, j) => [[a, b], ...names.slice(i + j + 2).map((c) => [a, b, c])]),
    ])
    const queries = [countAll, ...sets.map((set) => marginal(set)), marginal(['s', 'p'])]
    const p = plan(queries, u)
    const right = await answers(queries, grouped(p))
    for (const turns of [1, 2]) expect(await answers(queries, counted(p, turns))).toEqual(right)
    expect(right[0]).toEqual(Float64Array.of(unit === 'rows' ? 20_001 : 97 * 50))
  })
  test('any queries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(queryOver(u), { minLength: 1, maxLength: 6 }), async (queries) => {
        const p = plan(queries, u)
        expect(await answers(queries, counted(p, 1))).toEqual(await answers(queries, grouped(p)))
      }),
      { numRuns: 15 },
    )
  })
})
