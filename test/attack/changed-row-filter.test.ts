import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { marginal } from '../../src/query/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { open } from '../../src/trusted/exact/open.ts'

// The attack: nobody writes to an Iceberg table, but the administrator of its Trino server changes the row filter or the column mask of Reticent's
// user, or these depend on the date. The snapshot is the same, and the records that are counted are others: one person would be in two cells of what is
// taken for one table, and be charged for one of them.

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A Trino with one Iceberg table, in its first and only snapshot, and a filter that its plans show as Trino's do. */
async function filtered(version?: string) {
  const server = { filter: '' }
  const page = (columns: object[], data: unknown[][]) => JSON.stringify({ stats: { state: 'FINISHED' }, columns, data })
  const bigint = { name: 'n', type: 'bigint' }
  const text = { name: 't', type: 'varchar' }
  const plan = () => {
    const scan = {
      name: 'TableScan',
      descriptor: { table: 'c:s.t$data@1' },
      details: ['n := 1:n:bigint'],
      children: [],
    }
    const filter = { name: 'Filter', descriptor: { filterPredicate: server.filter }, details: [], children: [scan] }
    const top = server.filter ? filter : scan
    return JSON.stringify({ name: 'Output', descriptor: { columnNames: '[n]' }, details: [], children: [top] })
  }
  const http = createServer(async (request, response) => {
    let sql = ''
    for await (const piece of request) sql += piece
    if (sql.startsWith('EXPLAIN')) response.end(page([text], [[plan()]]))
    else if (sql.includes('$refs')) response.end(page([text], [['1']]))
    else if (sql.includes('information_schema')) response.end(page([text], [['BASE TABLE']]))
    else if (/LIMIT 0$|materialized_views/.test(sql)) response.end(page([bigint], []))
    else
      response.end(
        page(
          [bigint, { name: 'c', type: 'double' }],
          server.filter
            ? [[0, 5]]
            : [
                [0, 5],
                [1, 7],
              ],
        ),
      )
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => http.close(),
    () => http.closeAllConnections(),
  )
  const { port } = http.address() as { port: number }
  const engine = await openEngine({
    source: { kind: 'trino', url: `http://me@127.0.0.1:${port}`, catalog: 'c', schema: 's', table: 't', version },
    universe: universe([attribute({ kind: 'integer', name: 'n', low: 0, high: 1, closed: true })]),
    unit: { kind: 'row' },
    key: new Uint8Array(32),
  })
  closing.push(() => engine.close())
  return { server, engine }
}

test.each([undefined, '1'])(
  'a filter that was changed is noticed before anything is answered (version %s)',
  async (version) => {
    const { server, engine } = await filtered(version)
    const before = await engine.snapshot()
    const [all] = await before.answer([marginal(['n'])])
    expect(Array.from(open(all!), Number)).toEqual([5, 7])
    // A plan that is the same all the time is no change.
    expect((await engine.snapshot()).quick).toBe(before.quick)
    server.filter = "(n < bigint '1')"
    await expect(before.answer([marginal(['n'])])).rejects.toMatchObject({ code: 'source-changed' })
    expect((await engine.snapshot()).quick).not.toBe(before.quick)
  },
)

test('a filter that depends on chance is refused', async () => {
  const { server, engine } = await filtered()
  server.filter = "(random() < double '0.5')"
  await expect(engine.snapshot()).rejects.toMatchObject({ code: 'policy-invalid' })
})
