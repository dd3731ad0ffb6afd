import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectPostgres, postgresFailure } from '../../src/trusted/postgres/index.ts'
import { makeCertificates } from '../support/certificates.ts'
import { type PostgresServer, startServer, withoutPostgres } from '../support/postgres.ts'
import { stopServer } from '../support/servers/run.ts'

/** Says whether the connection is encrypted. */
async function encrypted(url: string): Promise<boolean> {
  const client = await connectPostgres(url)
  try {
    const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
    return (await client.query(sql)).rows[0].ssl
  } finally {
    await client.end()
  }
}

describe.skipIf(await withoutPostgres('connections to PostgreSQL'))('a connection to PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-tls-'))
  let server: PostgresServer
  let files: ReturnType<typeof makeCertificates>
  let at: (host: string, parameters?: string) => string
  let password: string

  beforeAll(async () => {
    files = makeCertificates(folder, 'localhost')
    const prepare = (data: string) => {
      const { uid, gid } = statSync(data)
      chmodSync(folder, 0o755)
      for (const file of [files.certificate, files.key]) chownSync(file, uid, gid)
      chmodSync(files.key, 0o600)
    }
    const settings = ['ssl = on', `ssl_cert_file = '${files.certificate}'`, `ssl_key_file = '${files.key}'`]
    server = await startServer(settings, prepare)
    password = new URL(server.url).password
    at = (host, parameters = '') => `postgresql://postgres@${host}:${server.port}/postgres?${parameters}`
    vi.stubEnv('PGPASSFILE', join(folder, 'nothing'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.stubEnv('PGPASSFILE', join(folder, 'nothing'))
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await stopServer(server)
    rmSync(folder, { recursive: true })
  })

  test('takes the password from the URL, PGPASSWORD, or the password file', async () => {
    await (await connectPostgres(server.url)).end()
    await expect(connectPostgres(at('127.0.0.1'))).rejects.toMatchObject({
      message: expect.stringContaining('there is none'),
    })
    vi.stubEnv('PGPASSWORD', password)
    await (await connectPostgres(at('127.0.0.1'))).end()
    vi.stubEnv('PGPASSWORD', undefined)
    const file = join(folder, 'pgpass')
    writeFileSync(
      file,
      `# mine\nelsewhere:*:*:*:no\n127.0.0.1:${server.port}:post\\gres:postgres:${password}\n*:*:*:*:no\n`,
    )
    chmodSync(file, 0o600)
    vi.stubEnv('PGPASSFILE', file)
    await (await connectPostgres(at('127.0.0.1'))).end()
    // As libpq has it: others could have read this one.
    chmodSync(file, 0o644)
    await expect(connectPostgres(at('127.0.0.1'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('ignored, because others may read it'),
    })
  })

  test('goes through a Unix socket, and reads its address from a variable', async () => {
    vi.stubEnv('PGPASSWORD', password)
    vi.stubEnv('WHERE', `postgresql:///postgres?host=${server.folder}&port=${server.port}&user=postgres`)
    expect(await encrypted('env:WHERE')).toBe(false)
    await expect(connectPostgres('env:NOWHERE')).rejects.toMatchObject({ code: 'policy-invalid' })
  })

  test('means by sslmode what libpq means', async () => {
    vi.stubEnv('PGPASSWORD', password)
    expect(await encrypted(at('localhost', 'sslmode=disable'))).toBe(false)
    expect(await encrypted(at('localhost', 'sslmode=allow'))).toBe(false)
    expect(await encrypted(at('localhost'))).toBe(true)
    expect(await encrypted(at('localhost', 'sslmode=require'))).toBe(true)
    expect(await encrypted(at('localhost', `sslmode=verify-full&sslrootcert=${files.root}`))).toBe(true)
    vi.stubEnv('PGSSLMODE', 'disable')
    expect(await encrypted(at('localhost'))).toBe(false)
  })

  test('is refused where the certificate is another’s, or of another host, or nobody vouches for it', async () => {
    vi.stubEnv('PGPASSWORD', password)
    const untrusted = {
      code: 'source-unreadable',
      message: 'the identity of the PostgreSQL server could not be verified',
    }
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      await expect(
        connectPostgres(at('localhost', `sslmode=${mode}&sslrootcert=${files.stranger}`)),
      ).rejects.toMatchObject(untrusted)
    // The certificate is for localhost; 127.0.0.1 is the same machine by another name.
    const root = `sslrootcert=${files.root}`
    expect(await encrypted(at('127.0.0.1', `sslmode=verify-ca&${root}`))).toBe(true)
    await expect(connectPostgres(at('127.0.0.1', `sslmode=verify-full&${root}`))).rejects.toMatchObject(untrusted)
    await expect(connectPostgres(at('localhost', 'sslmode=verify-full&sslrootcert=system'))).rejects.toMatchObject(
      untrusted,
    )
    vi.stubEnv('HOME', folder)
    await expect(connectPostgres(at('localhost', 'sslmode=verify-full'))).rejects.toMatchObject({
      code: 'policy-invalid',
    })
  })

  test('says nothing of a failure that it does not know', () => {
    expect(postgresFailure(Object.assign(new Error('invalid input: "Smith"'), { code: '22P02' }))).toBeUndefined()
    expect(postgresFailure(new Error('Smith'))).toBeUndefined()
  })

  test('fails without a word of the server’s, and without the password', async () => {
    const wrong = [
      [server.url.replace(password, 'wr0ng'), 'PostgreSQL refused the user or the password'],
      [server.url.replace(`:${server.port}`, ':1'), 'the PostgreSQL server cannot be reached'],
      [
        server.url.replace('/postgres?', '/nowhere?').replace(/\/postgres$/, '/nowhere'),
        'the PostgreSQL server has no such database',
      ],
      [`${server.url}?sslmode=often`, 'sslmode has an unknown value'],
      [`${server.url}?ssl=true`, 'the address of the PostgreSQL server has an unknown parameter'],
      ['postgresql://a:b:c/d', 'the address of the PostgreSQL server is not a URL'],
    ] as const
    for (const [url, message] of wrong) {
      const error = await connectPostgres(url).catch((e) => e)
      expect(error).toMatchObject({ name: 'ReticentError', message })
      const all = JSON.stringify([error.message, error.hint, error.detail, error.facts, error.cause])
      expect(all).not.toMatch(new RegExp(`${password}|wr0ng`))
    }
  })
})
