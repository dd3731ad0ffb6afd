import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addToken } from '../../src/server/index.ts'
import { Serving } from '../support/serving.ts'

test('who may write the tokens of one policy opens no other data set of the server', async () => {
  const s = new Serving()
  await s.table('people')
  await s.table('payroll')
  const [people, payroll] = s.policies as [string, string]
  await s.token('owner', undefined, [payroll])
  // Made for payroll where the attacker may write, then put beside his own policy.
  const elsewhere = `${people}.draft`
  const [issued] = await addToken({ policies: [payroll], file: elsewhere, role: 'owner' })
  const { token } = issued!
  const own = await s.token('owner', undefined, [people])
  const file = `${people}.tokens`
  const [mine, forged] = [file, elsewhere].map((path) => JSON.parse(readFileSync(path, 'utf8')))
  writeFileSync(file, JSON.stringify({ ...mine, tokens: [...mine.tokens, ...forged.tokens] }))
  await s.start()
  try {
    expect((await s.request('/api/datasets/payroll', { token })).status).toBe(401)
    expect((await s.request('/api/datasets/payroll', { token: own })).status).toBe(404)
    expect((await s.request('/api/datasets/people', { token: own })).status).toBe(200)
    // In the file of its own policy it does open it.
    copyFileSync(elsewhere, `${payroll}.tokens`)
    expect((await s.request('/api/datasets/payroll', { token })).status).toBe(200)
  } finally {
    await s.stop()
  }
})
