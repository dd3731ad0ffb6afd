import { afterAll, describe, expect, test } from 'vitest'
import { withoutPostgres } from '../support/postgres.ts'
import { ledgerDatabase } from '../support/postgres-ledger.ts'
import { policyText, Workspace } from '../system/workspace.ts'

describe.skipIf(await withoutPostgres('a ledger that many processes share'))(
  'a ledger that many processes share',
  () => {
    afterAll(() => {
      delete process.env.LEDGER
      delete process.env.LEDGER_OWNER
    })

    test('is never overspent by sixteen of them at once, and verifies', async () => {
      const database = await ledgerDatabase()
      Object.assign(process.env, { LEDGER: database.url, LEDGER_OWNER: database.owner })
      const workspace = new Workspace({
        'reticent.yaml': policyText.replace('sqlite: people.ledger', 'postgres: env:LEDGER'),
      })
      expect(workspace.run('ledger', 'create', '--owner', 'env:LEDGER_OWNER').status).toBe(0)
      const asked = await Promise.all(
        Array.from({ length: 16 }, (_, i) => {
          // All of these are about everybody, so that their prices add up.
          const questions = [0, 1].map((j) => `SELECT COUNT(*) FROM people WHERE age < ${91 + 2 * i + j};\n`)
          workspace.write(`${i}.sql`, questions.join(''))
          return workspace.start('ask', '-f', `${i}.sql`, '--epsilon', '0.05')
        }),
      )
      for (const { status, stderr } of asked)
        if (status !== 0) expect(stderr).toContain('this costs ε = 0.05, but only 0 is left of the budget of 1')
      // 1.0 in all: twenty times 0.05, and not one more.
      expect(asked.flatMap(({ stderr }) => stderr.match(/cost ε 0\.05 /g) ?? [])).toHaveLength(20)
      expect(workspace.run('budget', '--json').json.spent.epsilon).toBe(1)
      expect(workspace.run('ledger', 'verify', '--json').json).toMatchObject({ ok: true, sums: 'kept', rows: 41 })
      await database.stop()
    })
  },
)
