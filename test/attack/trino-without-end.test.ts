import { afterEach, describe, expect, test } from 'vitest'
import { TrinoClient } from '../../src/trusted/engine/trino/client.ts'
import { connectionTo } from '../../src/trusted/engine/trino/connection.ts'
import type { Page } from '../../src/trusted/engine/trino/page.ts'
import { type Answer, roughServer } from '../trino/rough-server.ts'

// The attack: a Trino server, or a gateway before it, that is never done. It gives one page after another, or a page byte by byte, and whoever
// asked waits, and in a server all who want to buy after them. Or it starts anew in the middle of a result, so that records come twice.

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const source = { kind: 'trino', catalog: 'c', schema: 's' } as const
const columns = [{ name: 'n', type: 'bigint' }]

async function against(script: (here: string) => { readonly [request: string]: readonly Answer[] }, longest: number) {
  const server = await roughServer(script)
  const client = new TrinoClient(
    { ...connectionTo({ ...source, url: server.url }), longest },
    { total: 2000, first: 1 },
  )
  open.push(client, server)
  const rows: unknown[] = []
  const run = () => client.run('SELECT 1', ({ data = [] }: Page) => void rows.push(...data))
  return { server, rows, run }
}

const tooLong = { code: 'engine-failed', message: expect.stringContaining('was not done with a statement') }

describe('a statement ends after a time, and the server is told', () => {
  test('where there is always one more page', async () => {
    const { run, server } = await against(
      (here) => ({
        'POST /v1/statement': [{ nextUri: `${here}/1` }],
        'GET /1': [{ nextUri: `${here}/2`, columns }],
        'GET /2': [{ nextUri: `${here}/1`, columns }],
      }),
      300,
    )
    await expect(run()).rejects.toMatchObject(tooLong)
    expect(server.log().at(-1)).toMatch(/^DELETE/)
  })

  test('where a page comes byte by byte', async () => {
    const drip: Answer = (response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    }
    const { run, server } = await against(
      (here) => ({ 'POST /v1/statement': [{ nextUri: `${here}/1` }], 'GET /1': [drip] }),
      300,
    )
    await expect(run()).rejects.toMatchObject(tooLong)
    expect(server.log().at(-1)).toBe('DELETE /1')
  })

  test('which its owner may lengthen', () => {
    const longest = (query_max_run_time?: string) =>
      connectionTo({ ...source, url: 'http://me@h', ...(query_max_run_time && { session: { query_max_run_time } }) })
        .longest
    expect(['10s', '2h', '1.5m', '40d'].map(longest)).toEqual([70_000, 7_260_000, 150_000, 2 ** 31 - 1])
    expect([undefined, 'soon'].map(longest)).toEqual([3_660_000, 3_660_000])
  })
})

test('records that were visited are not visited again where a server says that it is starting', async () => {
  const starting = { error: { errorName: 'SERVER_STARTING_UP', errorCode: 65548, errorType: 'INTERNAL_ERROR' } }
  const { run, rows } = await against(
    (here) => ({
      'POST /v1/statement': [{ nextUri: `${here}/1` }],
      'GET /1': [{ nextUri: `${here}/2`, columns, data: [[5]] }],
      'GET /2': [starting, { columns, data: [[6]] }],
    }),
    10_000,
  )
  await expect(run()).rejects.toMatchObject({ facts: { trino: 'SERVER_STARTING_UP' } })
  expect(rows).toEqual([[5]])
})
