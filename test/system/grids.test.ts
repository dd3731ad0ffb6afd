import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Workspace } from './workspace.ts'

/** Prices without a precision of their own; half of them 7.25. */
const prices = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 7.25 : Math.round(1e4 * i * 1.2345) / 1e4))
const csv = ['price,word', ...prices.map((price, i) => `${price},w${i % 3}`), ''].join('\n')
const policy = (price: string) => `dataset: sales
source: { duckdb: sales.csv }
privacy: { unit: row, epsilon: 10 }
attributes:
  price: ${price}
  word: { values: [w0] }
ledger: { sqlite: sales.ledger }
`
const workspace = (price: string) => new Workspace({ 'sales.csv': csv, 'reticent.yaml': policy(price) })
const count = (where: string) => `SELECT COUNT(*) FROM sales WHERE ${where}`

test('a comparison in bins means what it says, or is refused at no cost with what can be asked', async () => {
  const sales = workspace('{ bins: [0, 500], width: 10 }').withLedger()
  const ask = (sql: string, ...more: string[]) => sales.here('ask', sql, '--epsilon', '1', '--json', ...more)
  const refused = await ask(count('price BETWEEN 10 AND 50'))
  expect(refused.status).toBe(1)
  expect(refused.json.error).toMatchObject({ code: 'not-an-edge', nearest: ['price < 50', 'price < 60'] })
  expect((await ask(count('price = 7.25'))).json.error.nearest).toEqual(['price >= 0 AND price < 10'])
  expect((await sales.here('budget', '--json')).json).toMatchObject({ spent: { epsilon: 0 } })

  const truth = prices.filter((price) => price >= 10 && price < 50).length
  const { estimate } = (await ask(count('price >= 10 AND price < 50'))).json
  // Laplace noise of scale 1: beyond 20 once in 10^8 times.
  expect(Math.abs(estimate - truth)).toBeLessThanOrEqual(20)
  const plan = (await ask('SELECT AVG(price) FROM sales WHERE price < 50', '--plan')).json
  expect(plan.parts[0].description).toContain('0 ≤ price < 50')
  expect(plan.notes).toEqual([expect.stringContaining('off by up to 5 per record')])
  expect(sales.run('history').stdout).toContain('count where 10 ≤ price < 50')
})

test('check says how many values count as something else than they are', () => {
  const sales = workspace('{ decimal: [0, 400], step: 10 }')
  const { status, json } = sales.run('check', '--json')
  const outside = prices.filter((price) => price > 400).length
  const moved = prices.filter((price) => price <= 400 && price % 10 !== 0).length
  expect(status).toBe(0)
  expect(json.attributes[0]).toMatchObject({ clamped: outside, moved, unlisted: 0 })
  expect(json.warnings.map((w: { attribute: string }) => w.attribute)).toEqual(['price', 'price', 'word'])
  const text = sales.run('check').stdout
  expect(text).toContain('are not on the grid, and count as the nearest value on it')
  expect(text).toContain('or { bins: [0, 400], width: 10 }')
  expect(text).toContain('in order but for 3 warnings')
  expect(sales.run('ledger', 'create').stderr).toContain('warning: ')
})

test('a draft of such numbers has bins, fits them, and can be asked', () => {
  const sales = new Workspace({ 'sales.csv': csv })
  expect(sales.run('init', 'sales.csv', '--policy', 'sales.yaml').status).toBe(0)
  const text = readFileSync(sales.path('sales.yaml'), 'utf8')
  expect(text).toContain('  price: { bins: [0, 500], width: 2 } # review')
  sales.write('sales.yaml', text.replaceAll(/ # review.*/g, ''))
  const { json, status } = sales.run('check', '--policy', 'sales.yaml', '--json')
  expect([status, json.warnings]).toEqual([0, []])
})
