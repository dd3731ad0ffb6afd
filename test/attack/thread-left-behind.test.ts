import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

test('a thread of a server that has read the data leaves nothing of them in the folder for temporary files', async () => {
  const before = process.env.TMPDIR
  const s = await new Serving().table('people')
  const folder = mkdtempSync(join(tmpdir(), 'threads-'))
  process.env.TMPDIR = folder
  try {
    await s.start()
    const path = '/api/datasets/people/jobs'
    const body = { kind: 'tree', options: { of: ['age'], epsilon: 0.1 } }
    const { id } = (await s.request(path, { method: 'POST', body })).json
    await expect.poll(async () => (await s.request(`${path}/${id}`)).json.state, { interval: 200 }).toBe('done')
    await s.stop()
    expect(readdirSync(folder)).toEqual([])
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await s.stop()
  }
})
