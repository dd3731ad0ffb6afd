import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import { run } from '../../src/cli/commands/experiment.ts'
import { listener } from './listener.ts'

export const flags = { policy: '', json: false, quick: true, seed: '1' }

/** Experiments whose first look takes seconds: the long tests run them. */
export const isLong = (name: string): boolean =>
  /^history-(errors|fig[2-7])|^ireduct-(bars|bias|elsewhere|fig([6-9]|1[01]))|^coverage|^marginals-(afterwards|expected)|^bayes-mc-pc/.test(
    name,
  )

/** A folder for results, gone when the tests are done, and what was written there. */
export function results() {
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  const folder = mkdtempSync(join(tmpdir(), 'reticent-experiment-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return { folder, read: (file: string) => readFileSync(join(folder, file), 'utf8') }
}

/** Runs a first look, which must print a table and leave a picture and its numbers. */
export async function checkFirstLook(name: string, { folder, read }: ReturnType<typeof results>): Promise<void> {
  const { said, out } = listener()
  await run(name, { ...flags, out: folder }, out)
  const stored = JSON.parse(read(`${name}.json`))
  expect(stored).toMatchObject({ experiment: name, quick: true })
  expect(stored.rows).toEqual(JSON.parse(JSON.stringify(said.value.rows)))
  expect(said.text.split('\n')).toHaveLength(2 + stored.rows.length + stored.notes.length)
  const picture = read(`${name}.svg`)
  expect(picture.match(/<polyline/g)!.length).toBeGreaterThanOrEqual(stored.panels.length)
  expect(picture).not.toMatch(/NaN|Infinity|undefined/)
  // What it wrote itself it writes over.
  if (name === 'bayes-blue-time') await run(name, { ...flags, out: folder }, out)
}
