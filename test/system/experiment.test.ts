import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { list, run } from '../../src/cli/commands/experiment.ts'
import { experiments } from '../../src/evaluation/index.ts'
import { checkFirstLook, flags, isLong, results } from '../support/experiment-run.ts'
import { listener } from '../support/listener.ts'

const written = results()
const { folder, read } = written

test('the list names every experiment', async () => {
  const { said, out } = listener()
  await list(flags, out)
  for (const { name } of experiments) expect(said.text).toContain(name)
})

test.each(experiments.map(({ name }) => name).filter((name) => !isLong(name)))(
  '%s prints a table and leaves a picture and its numbers',
  (name) => checkFirstLook(name, written),
)

test('Reticent answers no fewer questions than the baselines, of which each keeps its budget', () => {
  const { rows } = JSON.parse(read('bayes-bounded.json'))
  const ours = rows.find(([name]: [string]) => name === 'Reticent')
  for (const row of rows) {
    expect(row[1]).toBeLessThanOrEqual(ours[1])
    expect(row[6]).toBeLessThanOrEqual(1)
  }
})

describe('wrong usage', () => {
  test('an unknown name, with the nearest one and the list', async () => {
    await expect(run('bayes-bouned', flags, listener().out)).rejects.toMatchObject({
      code: 'unknown-name',
      message: expect.stringContaining('did you mean bayes-bounded?'),
      hint: expect.stringContaining('coverage'),
    })
  })
  test.each(['-1', 'x', '', '1.5', '1e400'])('--seed %j', async (seed) => {
    await expect(run('coverage', { ...flags, seed }, listener().out)).rejects.toMatchObject({ code: 'usage' })
  })
  test('a file of somebody else is left as it is, before anything runs', async () => {
    const other = mkdtempSync(join(folder, 'other-'))
    writeFileSync(join(other, 'coverage.svg'), 'mine')
    await expect(run('coverage', { ...flags, out: other }, listener().out)).rejects.toMatchObject({ code: 'usage' })
    expect(readFileSync(join(other, 'coverage.svg'), 'utf8')).toBe('mine')
    expect(existsSync(join(other, 'coverage.json'))).toBe(false)
  })
  test('a folder that is a file', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await expect(run('coverage', { ...flags, out: file }, listener().out)).rejects.toMatchObject({ code: 'usage' })
  })
})
