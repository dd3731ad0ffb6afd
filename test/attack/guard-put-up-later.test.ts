import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLedgerFor, open } from '../../src/index.ts'

// The attack: the owner writes a guard into the policy while a server is running. An analyst asks the server, which read the policy before
// that, for exactly what is guarded now.

const folder = mkdtempSync(join(tmpdir(), 'reticent-guard-later-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'reticent.yaml')
const old = 'SELECT COUNT(*) FROM people WHERE age > 40'

function write(guards: string): void {
  writeFileSync(
    file,
    `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: add-remove, epsilon: 100 }
attributes: { age: { integer: [0, 49] }, member: { boolean: true } }
guards: [${guards}]
ledger: { sqlite: people.ledger }
`,
  )
}

test('whoever opened the policy before a guard was put up, or taken down, sells nothing until it is opened again', async () => {
  writeFileSync(join(folder, 'people.csv'), `age,member\n${'45,yes\n20,no\n'.repeat(50)}`)
  write('')
  await createLedgerFor(file)
  const before = await open(file)
  await before.ask('SELECT COUNT(*) FROM people', { within: 50 })
  write(`{ query: "${old}", within: 10, confidence: 0.9 }`)
  const now = await open(file)
  await expect(now.ask(old, { within: 2 })).rejects.toMatchObject({ code: 'guarded' })
  const { spent } = await before.budget()
  await expect(before.ask(old, { within: 2 })).rejects.toMatchObject({ code: 'policy-changed' })
  await expect(before.releaseTree({ of: ['age'], epsilon: 1 })).rejects.toMatchObject({ code: 'policy-changed' })
  await expect(before.releaseMarginals({ of: [['age']], epsilon: 1 })).rejects.toMatchObject({ code: 'policy-changed' })
  expect((await before.budget()).spent).toEqual(spent)
  // What is free stays so, and who knows the guard goes on.
  await before.ask('SELECT COUNT(*) FROM people', { free: true })
  await now.ask('SELECT COUNT(*) FROM people WHERE age < 30', { within: 20 })
  const again = await open(file)
  await again.ask('SELECT COUNT(*) FROM people WHERE age < 20', { within: 20 })
  write('')
  const without = await open(file)
  await expect(now.ask('SELECT COUNT(*) FROM people WHERE age < 10', { within: 9 })).rejects.toMatchObject({
    code: 'policy-changed',
  })
  await without.ask(old, { within: 2 })
  for (const dataset of [before, now, again, without]) await dataset.close()
})
