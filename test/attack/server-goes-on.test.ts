import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Access } from '../../src/server/access/access.ts'
import { RateLimit } from '../../src/server/access/rate-limit.ts'
import { addToken } from '../../src/server/index.ts'
import { JobFolder } from '../../src/server/jobs/job-folder.ts'
import { policyText } from '../system/workspace.ts'

test('a file of tokens that cannot be read ends no job and no stream, and lets nobody in', async () => {
  const policy = join(mkdtempSync(join(tmpdir(), 'tokens-')), 'people.yaml')
  writeFileSync(policy, policyText)
  const [{ token } = { token: '' }] = await addToken({ policies: [policy], role: 'owner' })
  const file = `${policy}.tokens`
  const text = readFileSync(file, 'utf8')
  const access = new Access([{ file, datasets: ['people'] }])
  const { id } = JSON.parse(text).tokens[0]
  writeFileSync(file, text.slice(0, 50))
  expect(access.isRevoked(id)).toBe(false)
  expect(() => access.callerOf(`Bearer ${token}`, '')).toThrow('cannot be read')
  writeFileSync(file, text.replace(id, 'another one'))
  expect(access.isRevoked(id)).toBe(true)
})

test('to touch a job whose folder was deleted fails nobody', () => {
  expect(() => new JobFolder(mkdtempSync(join(tmpdir(), 'jobs-'))).touch('gone')).not.toThrow()
})

test('a clock that is set back stops nobody', () => {
  const { now } = Date
  let back = 0
  Date.now = () => now() - back
  try {
    const limit = new RateLimit(1)
    expect(limit.isExceeded('alice')).toBe(false)
    back = 3_600_000
    expect(limit.isExceeded('alice')).toBe(false)
  } finally {
    Date.now = now
  }
})
