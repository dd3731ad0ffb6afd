import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { controls } from './index.ts'
import { noiseDownLoss } from './noise-down.ts'
import { proportionalLoss } from './proportional.ts'

test('NoiseDown of Fig. 3 loses 1.204 where 1 is claimed (λ 2 → 1) and 0.254 where 0.2 is (10 → 5)', () => {
  expect(noiseDownLoss({ from: 2, to: 1 }, 1)).toBeGreaterThanOrEqual(1.204)
  expect(noiseDownLoss({ from: 10, to: 5 }, 10)).toBeGreaterThanOrEqual(0.254)
})

// Far from the exact answer the θ's add up to more than 1: the middle interval is then never drawn on one side.
test('…and without bound where the first answer lies far out', () => {
  expect(noiseDownLoss({ from: 2, to: 1 }, 9)).toBe(Number.POSITIVE_INFINITY)
})

test("Proportional's Example 1: 535/42 at (102, 5), before the normalisers that the paper leaves out", () => {
  const normalisers = Math.log((1.2 * 6) / (1.4 * 3.5))
  expect(proportionalLoss([2, 5], [1, 5], [102, 5]) - normalisers).toBeCloseTo(535 / 42, 10)
})

test('every control that can be computed violates its claim', () => {
  for (const { name, claim, exact } of controls) if (exact) expect(exact(), name).toBeGreaterThan(1.1 * claim.epsilon)
})

test('nothing but the auditor imports a control', () => {
  const source = fileURLToPath(new URL('../../../', import.meta.url))
  const importers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && /from '[^']*controls\//.test(readFileSync(join(source, file), 'utf8')))
    .map((file) => file.split(sep).join('/'))
  expect(importers.sort()).toEqual(['evaluation/audit/audit.test.ts', 'evaluation/audit/registry.ts'])
})
