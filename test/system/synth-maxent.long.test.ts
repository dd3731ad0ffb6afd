import { describe, expect, test } from 'vitest'
import { Workspace } from './workspace.ts'

const rows = Array.from(
  { length: 3000 },
  (_, i) => `${i % 3 === 0 ? 'a' : 'b'},${(i % 3 === 0 ? 0 : 4) + (i % 5)},${i % 7 < 2}`,
)
const place = () =>
  new Workspace({
    'people.csv': ['kind,age,member', ...rows].join('\n'),
    'reticent.yaml': `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: add-remove, epsilon: 5 }
attributes:
  kind:   { values: [a, b], closed: true }
  age:    { integer: [0, 9], closed: true }
  member: { boolean: true, closed: true }
ledger: { sqlite: people.ledger }
`,
  }).withLedger()

describe('a synthetic table by maximum entropy from bought marginals', () => {
  test.each(['laplace', 'ireduct', 'two-phase'])('%s', (marginals) => {
    const people = place()
    const asked = ['synth', '--method', 'maxent', '--epsilon', '2', '--marginals', marginals, '--ways', '2']
    const plan = people.run(...asked, '--plan', '--records', '3000', '--json')
    expect(plan.status, plan.stdout).toBe(0)
    expect(plan.json.steps).toMatchObject([{ name: `2-way marginals by ${marginals}`, count: 3 }])
    const made = people.run(...asked, '--out', 'made.csv', '--json')
    expect(made.status, made.stdout).toBe(0)
    expect(made.json.cost.epsilon).toBeLessThanOrEqual(2)
    expect(people.run('budget', '--json').json.spent.epsilon).toBeLessThanOrEqual(2)
    // 1,000 of kind a, all of them younger than 5; three tables at ε = 2 have noise of a few records.
    const asked2 = (where: string) =>
      people.run('ask', `SELECT COUNT(*) FROM people WHERE ${where}`, '--model', 'made.model.json', '--json').json
        .estimate
    expect(Math.abs(asked2("kind = 'a'") - 1000)).toBeLessThan(100)
    expect(asked2("kind = 'a' AND age >= 5")).toBeLessThan(60)
  })

  test('is refused before anything is spent where there are not so many attributes', () => {
    const people = place()
    for (const ways of ['0', '4', 'two'])
      expect(
        people.run('synth', '--method', 'maxent', '--epsilon', '1', '--ways', ways, '--out', 'made.csv').status,
      ).toBe(2)
    expect(people.run('budget', '--json').json.spent.epsilon).toBe(0)
  })
})
