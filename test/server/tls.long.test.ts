import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificates } from '../support/certificates.ts'
import { Serving } from '../support/serving.ts'

const s = new Serving()
const sql = 'SELECT COUNT(*) FROM people'
let made: ReturnType<typeof makeCertificates>
let owner = ''

beforeAll(async () => {
  await s.table('people')
  made = makeCertificates(s.dir, 'localhost')
  owner = await s.token('owner')
  await s.start({ host: 'localhost', tls: { cert: made.certificate, key: made.key } })
})
afterAll(() => s.stop())

// In processes of their own: this one would have to wait for them.
const run = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number; stdout: string }>((ended) => {
    const child = execFile(command, args, { env: { ...process.env, ...env } }, (_, stdout) =>
      ended({ code: child.exitCode ?? 1, stdout }),
    )
  })

test('curl asks over TLS, and does not trust another authority', async () => {
  expect(s.url).toMatch(/^https:\/\/localhost:\d+$/)
  const ask = [
    `${s.url}/api/datasets/people/ask`,
    '-H',
    `Authorization: Bearer ${owner}`,
    '-H',
    'Content-Type: application/json',
  ]
  const body = ['-d', JSON.stringify({ sql, within: 50 })]
  const { code, stdout } = await run('curl', ['-s', '--cacert', made.root, ...ask, ...body])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'fresh', query: sql })
  // 60: the certificate is not known to be good.
  expect((await run('curl', ['-s', '--cacert', made.stranger, `${s.url}/healthz`])).code).toBe(60)
  expect((await run('curl', ['-s', '--tls-max', '1.1', '--cacert', made.root, `${s.url}/healthz`])).code).not.toBe(0)
  // Whoever speaks plainly is not answered.
  expect((await run('curl', ['-s', s.url.replace('https', 'http')])).code).not.toBe(0)
})

test('the client asks over TLS where the authority is known', async () => {
  const code = `const { connect } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/client/index.ts'))})
    const people = connect({ url: ${JSON.stringify(s.url)}, token: ${JSON.stringify(owner)} }).dataset('people')
    try { console.log((await people.ask({ sql: ${JSON.stringify(sql)}, free: true })).kind) } catch (error) { console.log(error.code) }`
  const args = ['--input-type=module', '-e', code]
  expect((await run(process.execPath, args, { NODE_EXTRA_CA_CERTS: made.root })).stdout.trim()).toBe('free')
  expect((await run(process.execPath, args)).stdout.trim()).toBe('unreachable')
})

test('what is no certificate, or has another key, is refused before anybody connects', async () => {
  const other = new Serving()
  await other.table('others')
  await other.token('owner')
  const garbage = join(s.dir, 'garbage.pem')
  writeFileSync(garbage, 'no certificate')
  for (const tls of [
    { cert: garbage, key: made.key },
    { cert: made.root, key: made.key },
    { cert: made.certificate, key: join(s.dir, 'missing.key') },
  ])
    await expect(other.start({ host: 'localhost', tls })).rejects.toMatchObject({ code: 'usage' })
})
