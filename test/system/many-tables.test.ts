import { expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { Workspace } from './workspace.ts'

const policy = `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: add-remove, epsilon: 100 }
attributes:
  age: { integer: [0, 118], closed: true }
  town: { integer: [0, 47], closed: true }
ledger: { sqlite: people.ledger }
`
const rows = Array.from({ length: 5000 }, (_, i) => `${(i * 7) % 119},${i % 48}`)

test('after 42 tables of 119 groups and six more, what the 48th tells is free', async () => {
  const w = new Workspace({ 'people.csv': ['age,town', ...rows].join('\n'), 'reticent.yaml': policy }).withLedger()
  const data = await open(w.path('reticent.yaml'))
  for (let town = 0; town < 48; town++)
    await data.ask(`SELECT age, COUNT(*) FROM people WHERE town = ${town} GROUP BY age`, { epsilon: 1 })
  const spent = (await data.budget()).spent.epsilon
  const asked = 'SELECT COUNT(*) FROM people WHERE town = 47 AND age < 20'
  const answer = await data.ask(asked, { within: 40 })
  const truth = rows.filter((row) => row.endsWith(',47') && Number(row.split(',')[0]) < 20).length
  expect(answer).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
  if (!('interval' in answer) || answer.estimate === null) throw new Error('one number')
  // Twenty noises of scale 1: their sum has a standard deviation of 6.1, so 40 is beyond 6 of them.
  expect(Math.abs(answer.estimate - truth)).toBeLessThan(40)
  expect(answer.within).toBeGreaterThan(6)
  expect(answer.within).toBeLessThan(16)
  // So is what all of them tell together, and nothing has been spent.
  const all = await data.ask('SELECT COUNT(*) FROM people WHERE age < 20', { free: true })
  expect(all).toMatchObject({ kind: 'free' })
  expect((await data.budget()).spent.epsilon).toBe(spent)
  await data.close()
})
