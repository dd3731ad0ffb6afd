import { renameSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

/** Amounts whose sums have ten digits, none of which comes about by chance: noise is beyond ±10^7. */
const rows = Array.from({ length: 600 }, (_, i) => ({
  amount: 1000 * (6113 + ((i * 7919) % 3889)),
  sex: i % 5 < 2 ? 'Female' : 'Male',
  member: i % 3 === 0,
}))
const sumOf = (some: typeof rows) => some.reduce((sum, { amount }) => sum + amount, 0)
const canaries = [
  rows,
  rows.filter(({ sex }) => sex === 'Female'),
  rows.filter(({ sex }) => sex === 'Male'),
  rows.filter(({ member }) => member),
  rows.filter(({ member }) => !member),
].map((some) => String(sumOf(some)))

/** Where a canary sits, however its digits are grouped. */
const found = (texts: readonly string[]): string[] =>
  texts.filter((text) => canaries.some((canary) => text.replaceAll(/(?<=\d)[,_' ](?=\d{3})/g, '').includes(canary)))

const policy = `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: add-remove, epsilon: 5.0 }
attributes:
  amount: { decimal: [0, 10000000], step: 1000, closed: true }
  sex:    { values: [Female, Male], closed: true }
  member: { boolean: true, closed: true }
ledger: { sqlite: people.ledger }
`
const s = new Serving()
afterAll(() => s.stop())

test('no response and no log line has an exact sum', async () => {
  for (const canary of canaries) expect(canary).toMatch(/^\d{10}$/)
  const csv = ['amount,sex,member', ...rows.map(({ amount, sex, member }) => `${amount},${sex},${member}`)].join('\n')
  await (await s.table('people', () => policy, csv)).start()
  const path = '/api/datasets/people'
  const post = (route: string, body: unknown) => s.request(`${path}/${route}`, { body })
  const statements = [
    'SELECT SUM(amount) FROM people',
    'SELECT sex, SUM(amount), AVG(amount) FROM people GROUP BY sex',
    'SELECT member, SUM(amount) FROM people GROUP BY 1',
    'SELECT VARIANCE(amount) FROM people WHERE member',
  ]
  for (const sql of statements) {
    for (const asked of [{ free: true }, { epsilon: 0.2, explain: true, density: 9 }, { within: 1 }, { free: true }])
      await post('ask', { sql, ...asked })
    await post('plan', { sql, epsilon: 0.1 })
    await post('curve', { sql, points: 3 })
    await post('ask', { sql, model: 'kernel' })
  }
  await post('ask', { sql: "SELECT SUM(amount) FROM people WHERE sex = 'X' / 0", epsilon: 0.1 })
  const started = (await post('jobs', { kind: 'marginals', options: { ways: 1, epsilon: 0.3, method: 'laplace' } }))
    .json
  await s.request(`${path}/jobs/${started.id}/events`)
  const job = (await s.request(`${path}/jobs/${started.id}`)).json
  expect(job.state).toBe('done')
  for (const { name } of job.files) await s.request(`${path}/jobs/${started.id}/files/${name}`)
  await s.request(`${path}/jobs/${started.id}/tables`)
  const { releases } = (await s.request(`${path}/history`)).json
  for (const { number } of releases) await post(`history/${number}/improve`, {})
  for (const route of ['budget', 'check', 'ledger/export']) await s.request(`${path}/${route}`)
  await post('ledger/verify', {})
  for (const route of ['/metrics', '/openapi.json', '/docs', path, '/api/datasets']) await s.request(route)
  // Whatever goes wrong is told without numbers, too.
  const [source] = s.policies.map((file) => file.replace('.yaml', '.csv')) as [string]
  renameSync(source, `${source}.away`)
  await post('ask', { sql: statements[0], epsilon: 0.1 })
  await s.request(`${path}/check`)

  const said = [...s.responses, ...s.log]
  expect(said.length).toBeGreaterThan(80)
  expect(said.join()).toContain('fresh')
  expect(found(said)).toEqual([])
  // And the scan would see one: in a message, as a number, or with its digits grouped.
  const [sum] = canaries as [string]
  const planted = [`{"estimate":${sum}}`, `the sum is ${Number(sum).toLocaleString('en-US')}.`, `x${sum}.5`]
  expect(found([...said, ...planted])).toEqual(planted)
})
