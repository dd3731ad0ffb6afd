import { expect, test } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { open } from '../../src/index.ts'
import { Workspace } from '../system/workspace.ts'

test('reticent serve answers until it is told to stop, and then ends in order', async () => {
  const w = new Workspace().withLedger()
  const child = w.spawn(['serve', '--port', '0', '--json'])
  let log = ''
  child.stderr!.on('data', (data) => {
    log += data
  })
  const { url, open: isOpen } = await new Promise<{ url: string; open: boolean }>((found) =>
    child.stdout!.once('data', (line) => found(JSON.parse(String(line)))),
  )
  expect(isOpen).toBe(true)
  const sql = 'SELECT COUNT(*) FROM people'
  expect(await connect({ url }).dataset('people').ask({ sql, within: 50 })).toMatchObject({ kind: 'fresh' })
  const page = await fetch(url)
  expect(await page.text()).toContain('<title>Reticent</title>')
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
  child.kill('SIGTERM')
  expect(await new Promise((ended) => child.on('close', ended))).toBe(0)
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ event }) => event)).toEqual(['listening', 'request', 'stopping', 'stopped'])
  expect(lines[1]).toMatchObject({ who: 'open', sql, kind: 'fresh', status: 200, dataset: 'people' })
  expect(lines[1].cost).toBeGreaterThan(0)
  for (const wrong of [
    ['--port', '99999'],
    ['--rate', 'x'],
    ['--tls-cert', 'a.pem'],
    ['--host', '0.0.0.0'],
  ])
    expect(w.run('serve', ...wrong).status).toBe(2)
})

test('where the privacy went: the share of the dearest record that answers about an attribute have', async () => {
  const w = new Workspace().withLedger()
  const people = await open(w.path('reticent.yaml'))
  await people.ask('SELECT COUNT(*) FROM people WHERE age >= 65', { epsilon: '0.1' })
  await people.ask("SELECT COUNT(*) FROM people WHERE age < 65 AND sex = 'Male'", { epsilon: '0.3' })
  await people.ask('SELECT sex, COUNT(*) FROM people GROUP BY sex', { epsilon: '0.1' })
  const shares = new Map((await people.spendingByAttribute()).map(({ attribute, share }) => [attribute, share]))
  // The dearest are men below 65: they paid 0.3 for age and sex, and 0.1 for sex.
  expect(shares.get('age')).toBeCloseTo(0.75, 9)
  expect(shares.get('sex')).toBeCloseTo(1, 9)
  expect(shares.get('state')).toBe(0)
  await people.close()
})
