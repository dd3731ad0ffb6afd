import { afterAll, beforeAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

const s = new Serving()
const ask = '/api/datasets/people/ask'
const sql = 'SELECT COUNT(*) FROM people'

beforeAll(async () => {
  await (await s.table('people')).start()
})
afterAll(() => s.stop())

/** [what, path, what is sent, status, code] */
const cases: [string, string, Parameters<Serving['request']>[1], number, string][] = [
  ['malformed JSON', ask, { body: '{"sql": ' }, 400, 'bad-request'],
  ['no body', ask, { method: 'POST' }, 400, 'bad-request'],
  ['an empty body', ask, { body: '' }, 400, 'bad-request'],
  ['a list', ask, { body: [] }, 400, 'bad-request'],
  ['a prototype', ask, { body: `{"sql": "${sql}", "within": 9, "__proto__": {"free": true}}` }, 400, 'bad-request'],
  ['an unknown field', ask, { body: { sql, within: 9, seed: 1 } }, 400, 'bad-request'],
  ['a mistyped field', ask, { body: { sql, witin: 9 } }, 400, 'bad-request'],
  ['a wrong type', ask, { body: { sql: 7, within: 9 } }, 400, 'bad-request'],
  ['a number that is none', ask, { body: { sql, within: 'many' } }, 400, 'usage'],
  ['a width below 0', ask, { body: { sql, within: -1 } }, 400, 'usage'],
  ['a confidence of 1', ask, { body: { sql, within: 9, confidence: 1 } }, 400, 'bad-request'],
  ['no precision', ask, { body: { sql } }, 400, 'usage'],
  ['two precisions', ask, { body: { sql, within: 9, epsilon: 0.1 } }, 400, 'usage'],
  ['an analyst where there are none', ask, { body: { sql, within: 9, as: 'eve' } }, 403, 'analyst-unknown'],
  ['SQL that is none', ask, { body: { sql: 'SELEC 1', within: 9 } }, 400, 'sql-syntax'],
  ['SQL that does something', ask, { body: { sql: 'DROP TABLE people', within: 9 } }, 400, 'sql-unsupported'],
  ['an unknown attribute', ask, { body: { sql: `${sql} WHERE agee > 3`, within: 9 } }, 400, 'unknown-name'],
  ['SQL of 1 MB', ask, { body: { sql: `${sql} --${'x'.repeat(1e6)}`, within: 9 } }, 413, 'too-large'],
  ['SQL of 200 kB', ask, { body: { sql: `${sql} --${'x'.repeat(2e5)}`, within: 9 } }, 400, 'bad-request'],
  ['10 MB', ask, { body: 'x'.repeat(1e7) }, 413, 'too-large'],
  [
    'a form',
    ask,
    { body: 'sql=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    'wrong-type',
  ],
  ['plain text', ask, { body: '{}', headers: { 'content-type': 'text/plain' } }, 415, 'wrong-type'],
  ['a free plan', '/api/datasets/people/plan', { body: { sql, free: true } }, 400, 'bad-request'],
  ['a curve of 1000 points', '/api/datasets/people/curve', { body: { sql, points: 1000 } }, 400, 'bad-request'],
  ['another data set', '/api/datasets/peeple/ask', { body: { sql, within: 9 } }, 404, 'not-found'],
  ['a long name', `/api/datasets/${'x'.repeat(250)}`, {}, 400, 'bad-request'],
  ['a path', '/api/datasets/..%2f..%2fetc/ask', { body: { sql, within: 9 } }, 404, 'not-found'],
  ['no such address', '/api/nothing', {}, 404, 'not-found'],
  ['a job of no kind', '/api/datasets/people/jobs', { body: { kind: 'all', options: {} } }, 400, 'bad-request'],
  [
    'a job beyond the budget',
    '/api/datasets/people/jobs',
    { body: { kind: 'tree', options: { of: ['age'], epsilon: 2 } } },
    402,
    'budget-exceeded',
  ],
  ['no such job', '/api/datasets/people/jobs/0123456789ab', {}, 404, 'not-found'],
  ['a job that is a path', '/api/datasets/people/jobs/..%2f..%2f', {}, 400, 'bad-request'],
  ['a page of values that is none', '/api/datasets/people/attributes/age/values?offset=x', {}, 400, 'bad-request'],
  ['tokens where there are none', '/api/tokens', {}, 403, 'forbidden'],
]

test.each(cases)('%s is refused with our error, and nothing is spent', async (_, path, sent, status, code) => {
  const reply = await s.request(path, sent)
  expect({ status: reply.status, code: reply.json.error.code }).toEqual({ status, code })
  expect(reply.json.error.message).toMatch(/\S/)
  expect(reply.text).not.toMatch(/\/tmp|node_modules|\.ts:|at [A-Z]\w+\./)
  expect((await s.client().dataset('people').budget()).budget.spent.epsilon).toBe(0)
})

test('what only the owner can mend is said without paths', async () => {
  const own = new Serving()
  await (await own.table('people')).start()
  const [policy] = own.policies as [string]
  const { rmSync } = await import('node:fs')
  rmSync(policy.replace('.yaml', '.csv'))
  const reply = await own.request(ask, { body: { sql, within: 40 } })
  expect(reply.status).toBe(503)
  expect(reply.json.error.code).toMatch(/^source-/)
  expect(reply.text + own.log.join()).not.toContain(own.dir)
  await own.stop()
})
