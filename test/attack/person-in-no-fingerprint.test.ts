import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { attribute, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'

// The attack: the column that says whose a record is has a type that the fingerprint of a Trino table leaves out, though the database can
// write it as a text. Then records move from one person to another, and nobody notices that these are other data.

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A Trino whose table has an age and a person of this type; it says what it was asked. */
async function asked(type: string): Promise<{ statements: string[]; opened: Promise<unknown> }> {
  const statements: string[] = []
  const server = createServer(async (request, response) => {
    let sql = ''
    for await (const piece of request) sql += piece
    statements.push(sql)
    const columns = sql.endsWith('LIMIT 0')
      ? [
          { name: 'p', type },
          { name: 'age', type: 'bigint' },
        ]
      : [{ name: 'x', type: 'varchar' }]
    const plan = JSON.stringify({ name: 'Output', descriptor: {}, details: [], children: [] })
    const data = /LIMIT 0$|materialized_views/.test(sql) ? [] : [[sql.startsWith('EXPLAIN') ? plan : '5']]
    response.end(JSON.stringify({ stats: { state: 'FINISHED' }, columns, data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  const { port } = server.address() as { port: number }
  const engine = await openEngine({
    source: { kind: 'trino', url: `http://me@127.0.0.1:${port}`, catalog: 'c', schema: 's', table: 't', version: '1' },
    universe: universe([attribute({ kind: 'integer', name: 'age', low: 0, high: 9, closed: true })]),
    unit: { kind: 'column', column: 'p', rows: 2 },
    key: new Uint8Array(32),
  })
  closing.push(() => engine.close())
  const opened = engine.snapshot().then((snapshot) => snapshot.full())
  await opened.catch(() => undefined)
  return { statements, opened }
}

test.each(['INTERVAL DAY TO SECOND', 'INTERVAL YEAR TO MONTH', 'json', 'uuid', 'time(3) with time zone', 'varchar'])(
  'persons of the type %s are in the fingerprint',
  async (type) => {
    const { statements, opened } = await asked(type)
    await opened
    const digest = statements.find((sql) => sql.includes('from_big_endian_64'))
    expect(digest).toContain('"p"')
  },
)

test('objects of JSON are persons, and 1 is not "1"', async () => {
  const { statements } = await asked('json')
  const choice = statements.find((sql) => sql.includes('row_number()'))
  expect(choice).toContain('CAST(json_format("p") AS VARCHAR)')
})

test.each(['array(integer)', 'row(a integer)', 'number', 'hyperloglog'])(
  'what has no text that is known here is nobody: %s',
  async (type) => {
    const { opened } = await asked(type)
    await expect(opened).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('which cannot be read'),
    })
  },
)
