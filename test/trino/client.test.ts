import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { ReticentError } from '../../src/schema/index.ts'
import { TrinoClient } from '../../src/trusted/engine/trino/client.ts'
import { connectionTo } from '../../src/trusted/engine/trino/connection.ts'
import type { Page } from '../../src/trusted/engine/trino/page.ts'
import { makeCertificates } from '../support/certificates.ts'
import { type Answer, roughServer } from './rough-server.ts'

const statement = 'POST /v1/statement'
const columns = [{ name: 'n', type: 'bigint' }]
const failed = (errorName: string, errorCode: number, errorType = 'USER_ERROR') => ({
  error: { errorName, errorCode, errorType, message: 'secret of Alice' },
})

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

function refusal(source: Parameters<typeof connectionTo>[0]): ReticentError {
  try {
    connectionTo(source)
  } catch (error) {
    return error as ReticentError
  }
  throw new Error('not refused')
}

type Script = (here: string) => { readonly [request: string]: readonly Answer[] }

async function against(script: Script, source: object = {}, tls?: Parameters<typeof roughServer>[1]) {
  const server = await roughServer(script, tls)
  const connection = connectionTo({ kind: 'trino', url: server.url, catalog: 'c', schema: 's', ...source })
  const client = new TrinoClient(connection, { total: 200, first: 5 })
  open.push(client, server)
  const rows: unknown[][] = []
  const visit = ({ data = [] }: Page) => void rows.push(...data.map((row) => [...row]))
  return { server, client, rows, run: (sql = 'SELECT 1') => client.run(sql, visit) }
}

describe('a statement', () => {
  test('is sent as it is, and its pages are followed to the last', async () => {
    const { run, rows, server } = await against(
      (here) => ({
        [statement]: [{ id: 'q', nextUri: `${here}/1` }],
        'GET /1': [{ nextUri: `${here}/2`, columns, data: [[1], [2]] }],
        'GET /2': [{ columns, data: [[3]] }],
      }),
      { session: { query_max_run_time: '10m', 'lake.x': 'a,b=c' } },
    )
    await run('SELECT ü')
    expect(rows).toEqual([[1], [2], [3]])
    expect(server.log()).toEqual([statement, 'GET /1', 'GET /2'])
    expect(server.seen[0]).toMatchObject({
      body: 'SELECT ü',
      headers: {
        'x-trino-user': 'me',
        'x-trino-catalog': 'c',
        'x-trino-schema': 's',
        'x-trino-time-zone': 'UTC',
        'x-trino-session': 'query_max_run_time=10m,lake.x=a%2Cb%3Dc',
      },
    })
  })

  test('may have whole numbers of any size', async () => {
    const digits = ['9007199254740993', '-9223372036854775808', '9007199254740991']
    const page = `{"stats":{"state":"FINISHED"},"columns":[],"data":[[${digits.join(',')},1.5,12345678901234567890.5,"9007199254740993"]]}`
    const { run, rows } = await against(() => ({ [statement]: [(response) => response.end(page)] }))
    await run()
    expect(rows).toEqual([
      [9007199254740993n, -(2n ** 63n), 9007199254740991, 1.5, Number('12345678901234567890.5'), digits[0]],
    ])
  })

  test('is sent again to a busy server, and so are requests for its pages', async () => {
    const { run, rows, server } = await against((here) => ({
      [statement]: [503, 502, { nextUri: `${here}/1` }],
      'GET /1': [504, { columns, data: [[1]] }],
    }))
    await run()
    expect(rows).toEqual([[1]])
    expect(server.log()).toEqual([statement, statement, statement, 'GET /1', 'GET /1'])
  })

  test('is given up where the server stays busy', async () => {
    const { run } = await against(() => ({ [statement]: [503] }))
    await expect(run()).rejects.toMatchObject({ code: 'engine-failed', facts: { status: 503 } })
  })

  test('is sent again while the server starts', async () => {
    const { run, rows } = await against(() => ({
      [statement]: [failed('SERVER_STARTING_UP', 65548, 'INTERNAL_ERROR'), { columns, data: [[1]] }],
    }))
    await run()
    expect(rows).toEqual([[1]])
  })

  test('gets a page again where the connection broke', async () => {
    const { run, rows, server } = await against((here) => ({
      [statement]: [{ nextUri: `${here}/1` }],
      'GET /1': [(response) => response.destroy(), { columns, data: [[1]] }],
    }))
    await run()
    expect(rows).toEqual([[1]])
    expect(server.log()).toEqual([statement, 'GET /1', 'GET /1'])
  })

  test('may wait for slow pages that come in pieces', async () => {
    const slow = (response: { write(text: string): unknown; end(text: string): unknown }) => {
      response.write('{"stats":{"state":"FINISHED"},"columns":[],')
      setTimeout(() => response.end('"data":[["ü"]]}'), 150)
    }
    const { run, rows } = await against((here) => ({ [statement]: [{ nextUri: `${here}/1` }], 'GET /1': [slow] }))
    await run()
    expect(rows).toEqual([['ü']])
  })
})

describe('an error', () => {
  test.each([
    ['TABLE_NOT_FOUND', 46, 'USER_ERROR', 'source-missing'],
    ['PERMISSION_DENIED', 4, 'USER_ERROR', 'source-unreadable'],
    ['DIVISION_BY_ZERO', 8, 'USER_ERROR', 'source-unreadable'],
    ['EXCEEDED_TIME_LIMIT', 131075, 'INSUFFICIENT_RESOURCES', 'engine-failed'],
    ['REMOTE_HOST_GONE', 65558, 'INTERNAL_ERROR', 'engine-failed'],
  ])('%s has its name and number, and none of its words', async (name, number, type, code) => {
    const { run } = await against((here) => ({
      [statement]: [{ nextUri: `${here}/1` }],
      'GET /1': [failed(name, number, type)],
    }))
    const error = await run().catch((e) => e)
    expect(error).toMatchObject({ code, facts: { trino: name, trinoCode: number } })
    expect(error.message).toContain(`${name} ${number}`)
    expect(JSON.stringify([error, error.message, error.hint, error.detail, error.cause])).not.toContain('Alice')
  })

  test('with a name that is none of Trino’s is not repeated', async () => {
    const { run } = await against(() => ({ [statement]: [failed('secret of Alice', 1, 'INTERNAL_ERROR')] }))
    const error = await run().catch((e) => e)
    expect(error.message).toContain('UNKNOWN')
    expect(JSON.stringify([error, error.message])).not.toContain('Alice')
  })

  test.each<[string, Answer, string]>([
    ['a page that is no JSON', (response) => response.end('<html>'), 'engine-failed'],
    ['a page that is no page', (response) => response.end('[1]'), 'engine-failed'],
    [
      'a last page of a result that is not finished',
      { stats: { state: 'RUNNING' }, columns, data: [] },
      'engine-failed',
    ],
    ['another status', 500, 'engine-failed'],
    ['a status that refuses the user', 401, 'source-unreadable'],
    ['a server that breaks off', (response) => response.destroy(), 'engine-failed'],
    ['a redirect', (response) => response.writeHead(307, { Location: 'http://127.0.0.2/' }).end(), 'engine-failed'],
  ])('in %s is one error of ours', async (_, what, code) => {
    const { run } = await against(() => ({ [statement]: [what] }))
    await expect(run()).rejects.toMatchObject({ name: 'ReticentError', code })
  })

  test('is what a server that is gone gives, at once', async () => {
    const { run, server } = await against(() => ({}))
    await server.close()
    await expect(run()).rejects.toMatchObject({ code: 'engine-failed' })
  })
})

describe('the server is told to stop', () => {
  const running: Script = (here) => ({
    [statement]: [{ nextUri: `${here}/1` }],
    'GET /1': [{ columns, data: [[1]], nextUri: `${here}/2` }],
    'GET /2': [() => {}],
    'DELETE /2': [204],
  })

  test('where we stop', async () => {
    const { run, client, server, rows } = await against(running)
    const result = expect(run()).rejects.toMatchObject({ code: 'interrupted' })
    while (!server.log().includes('GET /2')) await new Promise((resolve) => setTimeout(resolve, 5))
    client.stop()
    await result
    expect(rows).toEqual([[1]])
    expect(server.log()).toEqual([statement, 'GET /1', 'GET /2', 'DELETE /2'])
    // And nothing is sent any more.
    await expect(run()).rejects.toMatchObject({ code: 'interrupted' })
    expect(server.log()).toHaveLength(4)
  })

  test('where we fail', async () => {
    const { client, server } = await against(running)
    const result = client.run('SELECT 1', ({ data }) => {
      if (data) throw new RangeError('no room')
    })
    await expect(result).rejects.toThrow('no room')
    expect(server.log()).toEqual([statement, 'GET /1', 'DELETE /2'])
  })

  test('where a page cannot be read', async () => {
    const { run, server } = await against((here) => ({ ...running(here), 'GET /2': [500] }))
    await expect(run()).rejects.toMatchObject({ facts: { status: 500 } })
    expect(server.log().at(-1)).toBe('DELETE /2')
  })
})

describe('nobody else is called', () => {
  test.each([
    ['another host', () => 'http://127.0.0.2/1'],
    ['another port', (here: string) => here.replace(/\d+$/, '9')],
    ['another protocol', (here: string) => here.replace('http', 'https')],
    ['no address at all', () => 'nowhere'],
    ['an address without a host', () => '/1'],
  ])('where the next page is at %s', async (_, elsewhere) => {
    const { run, rows } = await against((here) => ({
      [statement]: [{ nextUri: elsewhere(here), columns, data: [[1]] }],
    }))
    await expect(run()).rejects.toMatchObject({ message: expect.stringContaining('another address') })
    expect(rows).toEqual([])
  })
})

describe('over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-trino-tls-'))
  const tls = makeCertificates(folder, 'localhost')
  afterAll(() => rmSync(folder, { recursive: true }))
  const one: Script = () => ({ [statement]: [{ columns, data: [[1]] }] })
  const variables = { PASSWORD_OF_TESTS: 'pä:ss', TOKEN_OF_TESTS: 'abc.def' }
  Object.assign(process.env, variables)

  test('the owner’s certificates vouch for a server, and others do not', async () => {
    const { run, rows } = await against(one, { ca: tls.root }, tls)
    await run()
    expect(rows).toEqual([[1]])
    for (const ca of [undefined, tls.stranger]) {
      const other = await against(one, ca === undefined ? {} : { ca }, tls)
      await expect(other.run()).rejects.toMatchObject({ message: expect.stringContaining('not trusted') })
      expect(other.server.log()).toEqual([])
    }
  })

  test.each([
    ['password', 'env:PASSWORD_OF_TESTS', `Basic ${Buffer.from('me:pä:ss', 'latin1').toString('base64')}`],
    ['token', 'env:TOKEN_OF_TESTS', 'Bearer abc.def'],
  ])('a %s from the environment is sent', async (kind, from, header) => {
    const { run, server } = await against(one, { ca: tls.root, [kind]: from }, tls)
    await run()
    expect(server.seen[0]!.headers.authorization).toBe(header)
  })

  test('a certificate for another host does not vouch', async () => {
    const { server } = await against(one, { ca: tls.root }, tls)
    const url = server.url.replace('localhost', '127.0.0.1')
    const client = new TrinoClient(connectionTo({ kind: 'trino', url, catalog: 'c', schema: 's', ca: tls.root }))
    open.push(client)
    await expect(client.run('SELECT 1', () => {})).rejects.toThrow('for another host')
  })

  test.each([
    ['a password that Trino cannot read', 'PASSWORD_OF_TESTS', '密', 'password', 'Latin-1'],
    ['a token in two lines', 'TOKEN_OF_TESTS', 'abc\ndef', 'token', 'no token has'],
  ])('%s is refused before it is sent, and not repeated', (_, variable, secret, kind, said) => {
    process.env[variable] = secret
    const source = {
      kind: 'trino',
      url: 'https://me@host',
      catalog: 'c',
      schema: 's',
      [kind]: `env:${variable}`,
    } as const
    const error = refusal(source)
    expect(error.message).toContain(said)
    expect(JSON.stringify([error, error.message, error.hint])).not.toContain(secret)
    Object.assign(process.env, variables)
  })

  test('a file without certificates is named', () => {
    const source = { kind: 'trino', url: 'https://me@host', catalog: 'c', schema: 's', ca: tls.key } as const
    expect(refusal(source).message).toContain(tls.key)
    expect(refusal({ ...source, ca: `${tls.key}.none` }).message).toContain('.none')
  })

  test('and never without it', () => {
    const source = { kind: 'trino', url: 'http://me@127.0.0.1', catalog: 'c', schema: 's' } as const
    for (const secret of [{ password: 'env:PASSWORD_OF_TESTS' }, { token: 'env:TOKEN_OF_TESTS' }])
      expect(() => connectionTo({ ...source, ...secret })).toThrow('only sent over https')
  })

  test('a variable that is not set is named, and one that is wrong is not repeated', () => {
    const source = { kind: 'trino', url: 'env:TRINO_OF_TESTS', catalog: 'c', schema: 's' } as const
    expect(() => connectionTo(source)).toThrow('TRINO_OF_TESTS')
    process.env.TRINO_OF_TESTS = 'me:secret@host'
    expect(String(refusal(source))).not.toContain('secret')
    process.env.TRINO_OF_TESTS = 'https://me:pw@host:8443'
    expect(connectionTo(source).headers.Authorization).toBe(`Basic ${Buffer.from('me:pw').toString('base64')}`)
  })
})
