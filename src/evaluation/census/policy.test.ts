import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadPolicy } from '../../schema/index.ts'
import { censusAttributes } from './attributes.ts'
import { censusPolicy } from './policy.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-policy-'))
afterAll(() => rmSync(folder, { recursive: true }))

test("the census's policy is read back as its attributes, with nothing left to review", async () => {
  const file = join(folder, 'reticent.yaml')
  writeFileSync(file, censusPolicy({ source: 'people.csv', epsilon: '0.5' }))
  const policy = await loadPolicy(file)
  expect(policy.universe.attributes).toEqual(censusAttributes)
  expect(policy.dataset).toBe('census')
  expect(policy.source).toEqual({ kind: 'duckdb', path: join(folder, 'people.csv') })
  expect(policy.ledger).toEqual({ kind: 'sqlite', path: join(folder, 'census.ledger') })
  expect(policy.privacy).toMatchObject({ neighbours: 'add-remove', epsilon: { num: 1n, den: 2n } })
  expect(policy.reviewLines).toEqual([])
})
