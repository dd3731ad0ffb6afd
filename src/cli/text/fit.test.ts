import { expect, test } from 'vitest'
import { fitText } from './fit.ts'

test('an exact fit says its duality gap', () => {
  expect(fitText({ solver: 'exact', alpha: 0.0080439, answers: 6, steps: 14, gap: 5.808e-7 })).toBe(
    'fitted to 6 noisy numbers · exact solver · α 0.00804 · duality gap 5.81e-7 after 14 steps',
  )
})

test('a sampled fit says whether its weights have settled, beside what chance gives', () => {
  const fit = { solver: 'sampled', alpha: 0.000481, answers: 29_298, chains: 100_000, sweeps: 30, worth: 0.7 }
  expect(fitText({ ...fit, slope: 8.64, chance: 0.585, gap: 0.213 })).toBe(
    'fitted to 29,298 noisy numbers · sampled solver · α 4.81e-4 · weights have not settled: slope 8.64, by chance 0.585 · duality gap 0.213',
  )
  expect(fitText({ ...fit, slope: 0.057, chance: 0.042, gap: 0.01 })).toMatch('converged as far as the sample can tell')
})

test('a kernel estimate says what new questions would be off by, and a mixture what it was fitted to', () => {
  expect(fitText({ alpha: 554.4, records: 49_969.13, answers: 7 })).toBe(
    'fitted to 7 noisy numbers · α 554 · 49,969 records',
  )
  expect(fitText({ alpha: 33_546, records: 299_285, answers: 5000, prior: 'mixture' })).toMatch('prior: mixture')
  expect(fitText({ alpha: 33_546, records: 299_285, answers: 5000, validatedError: 0.254 })).toMatch(
    'off by about 0.254 deviations of the noise, by cross-validation',
  )
  expect(fitText({ alpha: Infinity, records: 10, answers: 3 })).toMatch('α ∞')
  expect(fitText({ answers: 2 })).toBe('fitted to 2 answers')
})

test('what was not fitted to answers has nothing to say', () => {
  expect(fitText({ epsilon: '0.5', rounds: 12 })).toBeUndefined()
})
