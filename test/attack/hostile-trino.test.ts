import { createServer, type ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { countAll, type LinearQuery, marginal } from '../../src/query/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { open } from '../../src/trusted/exact/open.ts'

// The attack: something between Reticent and its Trino server, or a server with a bug, sends results that no table has: texts, fractions, places beyond the
// last cell, a group twice, rows without end. Taken in without a look, some records would silently be lost or counted
// otherwise, and the noise would be added to something else than the table.

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A Trino that has one table of three columns, and answers questions about it as it likes. */
async function hostile(reply: (response: ServerResponse) => void) {
  const columns = ['n', 'm', 's'].map((name) => ({ name, type: name === 's' ? 'varchar' : 'bigint' }))
  const page = (given: object) => JSON.stringify({ stats: { state: 'FINISHED' }, ...given })
  const server = createServer(async (request, response) => {
    let sql = ''
    for await (const piece of request) sql += piece
    if (sql.includes('information_schema')) {
      response.end(page({ columns: [{ name: 'table_type', type: 'varchar' }], data: [['BASE TABLE']] }))
    } else if (sql.startsWith('EXPLAIN')) {
      const plan = JSON.stringify({ name: 'Output', descriptor: {}, details: [], children: [] })
      response.end(page({ columns: [{ name: 'plan', type: 'varchar' }], data: [[plan]] }))
    } else if (/LIMIT 0$|materialized_views/.test(sql)) response.end(page({ columns, data: [] }))
    else reply(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  const { port } = server.address() as { port: number }
  const engine = await openEngine({
    source: { kind: 'trino', url: `http://me@127.0.0.1:${port}`, catalog: 'c', schema: 's', table: 't', version: '1' },
    universe: universe([
      attribute({ kind: 'integer', name: 'n', low: 0, high: 9, closed: true }),
      attribute({ kind: 'integer', name: 'm', low: 0, high: 999_999, closed: true }),
      attribute({ kind: 'values', name: 's', values: ['a', 'b'], other: false, closed: false }),
    ]),
    unit: { kind: 'row' },
    key: new Uint8Array(32),
  })
  closing.push(() => engine.close())
  return engine
}

async function ask(reply: Parameters<typeof hostile>[0], query: LinearQuery = marginal(['n'])) {
  const engine = await hostile(reply)
  const [exact] = await (await engine.snapshot()).answer([query])
  return Array.from(open(exact!), Number)
}

const types = ['bigint', 'double'].map((type) => ({ name: type, type }))
const withRows = (data: unknown) => (response: ServerResponse) =>
  response.end(
    `{"stats":{"state":"FINISHED"},"columns":${JSON.stringify(types)},"data":${typeof data === 'string' ? data : JSON.stringify(data)}}`,
  )

test('an honest result is taken in', async () => {
  expect(await ask(withRows('[[0, 5], [9, 2.0], [3, "7"]]'))).toEqual([5, 0, 0, 7, 0, 0, 0, 0, 0, 2])
  expect(await ask(withRows([[0, 7]]), countAll)).toEqual([7])
})

test.each<[string, unknown]>([
  ['too few columns', [[3]]],
  ['a place beyond the last', [[10, 5]]],
  ['a place before the first', [[-1, 5]]],
  ['a place between two', [[0.5, 5]]],
  ['a place that is a text', [['3', 5]]],
  ['a place beyond all numbers', '[[99999999999999999999999, 5]]'],
  ['no place', [[null, 5]]],
  ['a count that is no number', [[0, 'NaN']]],
  ['a count without an end', [[0, 'Infinity']]],
  ['a fraction', [[0, 1.5]]],
  ['a count below 0', [[0, -1]]],
  ['no count', [[0, null]]],
  ['a text', [[0, 'Alice']]],
  [
    'one group twice',
    [
      [0, 5],
      [0, 6],
    ],
  ],
  ['rows that are no rows', [5, null, 'x']],
  ['an object', [{ 0: 0, 1: 5 }]],
])('%s is refused, and nobody is told what it was', async (_, data) => {
  const error = await ask(withRows(data)).catch((e) => e)
  expect(error).toMatchObject({ name: 'ReticentError', code: 'engine-failed' })
  expect(error.message).toMatch(
    /^(the source could not be read|the Trino server gave an answer that is not part of its protocol.*)$/,
  )
  expect(error.cause).toBeUndefined()
})

test('a group whose sum comes twice is refused', async () => {
  const sums: LinearQuery = {
    ...marginal(['s']),
    terms: [{ coefficient: 1, factors: { m: { kind: 'value', slope: 1, shift: 0, power: 1, from: 0, to: 999_999 } } }],
  }
  expect(
    await ask(
      withRows([
        [1, 70],
        [0, 5],
      ]),
      sums,
    ),
  ).toEqual([5, 70, 0])
  await expect(
    ask(
      withRows([
        [1, 70],
        [1, 70],
      ]),
      sums,
    ),
  ).rejects.toMatchObject({ code: 'engine-failed' })
})

test('a reply without an end is cut off, and the process lives', async () => {
  const piece = Buffer.alloc(1 << 22, ' ')
  let sent = 0
  const endless = (response: ServerResponse) => {
    const more = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length
      sent += piece.length
    }
    response.on('drain', more)
    more()
  }
  await expect(ask(endless)).rejects.toMatchObject({ code: 'engine-failed' })
  expect(sent).toBeLessThan(2 ** 29)
})
