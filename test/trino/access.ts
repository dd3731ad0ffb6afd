import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../src/cli/commands/check.ts'
import { init } from '../../src/cli/commands/init.ts'
import { verifyLedger } from '../../src/index.ts'
import { listener } from '../support/listener.ts'
import type { TrinoCluster } from '../support/servers/trino.ts'
import { guest, tokenFor } from '../support/servers/trino-access.ts'
import { closeScenes, makeTable, Scene, young } from './scene.ts'

/** Passwords, tokens and certificates, as a real server takes them. */
export function access(cluster: TrinoCluster): void {
  const { folder, securePort, port } = cluster.coordinator
  const secure = `https://${guest.user}@localhost:${securePort}`
  const ca = join(folder, 'root.crt')
  const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const secrets = {
    RIGHT_PASSWORD: guest.password,
    WRONG_PASSWORD: 'wröng',
    RIGHT_TOKEN: tokenFor(folder, guest.user, 3600),
    OLD_TOKEN: tokenFor(folder, guest.user, -3600),
    FORGED_TOKEN: tokenFor(folder, guest.user, 3600, another.export({ type: 'pkcs8', format: 'pem' }).toString()),
    OTHER_TOKEN: tokenFor(folder, 'somebody', 3600),
    NO_TOKEN: 'n0ne',
  }
  let table = ''
  beforeAll(async () => {
    Object.assign(process.env, secrets)
    table = await makeTable(cluster, 'lake')
  })
  afterAll(() => {
    for (const name of Object.keys(secrets)) delete process.env[name]
  })
  closeScenes()

  const scene = (url: string, ...more: string[]) =>
    new Scene({ url }, [`catalog: lake, table: ${table}`, ...more].join(', '))

  describe('a server that asks for a password or a token', () => {
    test.each([
      ['a password', secure, 'password: env:RIGHT_PASSWORD'],
      ['a token', secure, 'token: env:RIGHT_TOKEN'],
      ['a token that alone says who asks', secure.replace(/\/\/.*@/, '//'), 'token: env:RIGHT_TOKEN'],
    ])('answers who has %s', async (_, url, secret) => {
      const right = scene(url, `ca: ${ca}`, secret)
      await right.create()
      const answer = await (await right.open()).ask(young, { within: 5 })
      // Noise beyond 100 at a half-width of 5 for 95%: e^-60.
      expect(Math.abs((answer as { estimate: number }).estimate - 500)).toBeLessThan(100)
      expect(await verifyLedger(right.policy)).toMatchObject({ ok: true })
      const users = await cluster.run(
        `SELECT DISTINCT "user" FROM system.runtime.queries WHERE source = 'reticent' AND query LIKE '%"${table}"%' AND query NOT LIKE '%runtime%' AND "user" <> 'tests'`,
      )
      expect(users).toEqual([[guest.user]])
    })

    test('lets a policy be drafted, and checked', async () => {
      const policy = `${scene(secure).policy}.drafted`
      const where = { catalog: 'lake', schema: 'contract', table, password: 'env:RIGHT_PASSWORD', ca }
      await init(secure, { policy, json: false, ...where }, listener().out)
      const { said, out } = listener()
      await check({ policy, json: false }, out)
      expect(said.value).toMatchObject({ rows: 1000 })
    })

    const refused = 'does not accept the user, the password or the token'
    test.each([
      ['a wrong password', secure, ['password: env:WRONG_PASSWORD'], refused],
      ['no password', secure, [], refused],
      ['the password of somebody else', secure.replace(guest.user, 'boss'), ['password: env:RIGHT_PASSWORD'], refused],
      ['an expired token', secure, ['token: env:OLD_TOKEN'], refused],
      ['a forged token', secure, ['token: env:FORGED_TOKEN'], refused],
      ['a token that is none', secure, ['token: env:NO_TOKEN'], refused],
      ['a token of somebody else', secure, ['token: env:OTHER_TOKEN'], 'PERMISSION_DENIED'],
    ])('refuses %s: one clear error', async (_, url, more, message) => {
      await expectRefusal(scene(url, `ca: ${ca}`, ...more), message)
    })

    test('and speaks TLS alone is not reached over plain http', async () => {
      await expectRefusal(scene(secure.replace('https', 'http')), 'cannot be reached')
    })
  })

  test.each([
    ['nobody vouches for', secure, [], 'not trusted'],
    ['a stranger vouches for', secure, [`ca: ${join(folder, 'stranger.crt')}`], 'not trusted'],
    ['has a certificate for another name', secure.replace('localhost', '127.0.0.1'), [`ca: ${ca}`], 'for another host'],
    ['speaks no TLS', secure.replace(`${securePort}`, `${port}`), [`ca: ${ca}`], 'cannot be reached'],
    ['is called over plain http', cluster.url, [], 'only sent over https'],
  ])('a password is not told to a server that %s', async (_, url, more, message) => {
    await expectRefusal(scene(url, ...more, 'password: env:RIGHT_PASSWORD'), message)
  })

  /** The same from whatever the owner does first, and nowhere a secret. */
  async function expectRefusal(wrong: Scene, message: string): Promise<void> {
    const error = await wrong.create().catch((e) => e)
    expect(error).toMatchObject({ name: 'ReticentError', message: expect.stringContaining(message) })
    expect(error.hint).toBeTruthy()
    const { said, out } = listener()
    expect(await check({ policy: wrong.policy, json: false }, out)).toBe(1)
    expect(said.value.problems).toHaveLength(1)
    expect(said.value.problems[0].message).toBe(error.message)
    const everything = JSON.stringify([error, error.message, error.hint, error.detail, error.cause, said])
    for (const secret of Object.values(secrets)) expect(everything).not.toContain(secret)
  }
}
