import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/commands/audit.ts'
import { audit as auditOne, auditPage, mechanismNamed, seededBits } from '../../src/evaluation/index.ts'
import { listener } from '../support/listener.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const flags = { policy: '', json: false, all: false, samples: '20000', seconds: '600' }

// Both verdicts are far from their thresholds at 20,000 runs: wrong less than once in 10^6.
test('a table of claims, bounds and verdicts, and a page beside it', async () => {
  const { said, out } = listener()
  const html = join(folder, 'audit.html')
  expect(await audit(['laplace', 'scale-30-percent-short', 'laplace'], { ...flags, html }, out)).toBe(0)
  expect(said.text).toMatch(/laplace +shipped +1\.000 +0\.\d{3} +1\.000 +[\d,]+ +kept/)
  expect(said.text).toMatch(/scale-30-percent-short +control +1\.000 +1\.\d{3} +1\.429 +[\d,]+ +caught/)
  expect(said.text).toContain('2 audited, all as expected')
  expect(said.value).toMatchObject({
    ok: true,
    errorRate: 1e-6,
    mechanisms: [{ verdict: 'kept' }, { verdict: 'violated' }],
  })
  expect(readFileSync(html, 'utf8').match(/<svg/g)).toHaveLength(2)
})

test('a control that escapes fails the command', async () => {
  const { said, out } = listener()
  // A thousand runs cannot tell ε = 4/3 from 1.
  expect(await audit(['sensitivity-off-by-one'], { ...flags, samples: '1000' }, out)).toBe(1)
  expect(said.text).toContain('NOT CAUGHT')
})

describe('wrong usage', () => {
  const { out } = listener()
  const usage = { code: 'usage' }
  test.each(['0', '-5', 'many', '', 'NaN', 'Infinity', '999'])('--samples %j', async (samples) => {
    await expect(audit(['laplace'], { ...flags, samples }, out)).rejects.toMatchObject(usage)
  })
  test.each(['0', '-1', 'soon', ''])('--seconds %j', async (seconds) => {
    await expect(audit(['laplace'], { ...flags, seconds }, out)).rejects.toMatchObject(usage)
  })
  test('neither names nor --all, or both', async () => {
    await expect(audit([], flags, out)).rejects.toMatchObject(usage)
    await expect(audit(['laplace'], { ...flags, all: true }, out)).rejects.toMatchObject(usage)
  })
  test('a page that cannot be written, before anything runs', async () => {
    const html = join(folder, 'nowhere', 'audit.html')
    await expect(audit(['laplace'], { ...flags, html }, out)).rejects.toMatchObject(usage)
    expect(existsSync(html)).toBe(false)
  })
  test('an unknown name, with the nearest one and the list', async () => {
    await expect(audit(['laplce'], flags, out)).rejects.toMatchObject({
      code: 'unknown-name',
      message: expect.stringContaining('did you mean laplace?'),
      hint: expect.stringContaining('proportional'),
    })
  })
})

test('the page stands alone and quotes what it is given', async () => {
  const mechanism = { ...mechanismNamed('laplace'), about: '<script>alert(1)</script>' }
  const finding = await auditOne(mechanism, { samples: 4_000, seconds: 10, bits: seededBits(1) })
  const page = auditPage([finding])
  expect(page).not.toMatch(/<script|https?:|src=|href=|url\(|@import/)
  expect(page).not.toMatch(/NaN|Infinity|undefined/)
  expect(page).toContain('>claimed<')
  expect(page).toContain('>proven<')
  const shares = finding.losses.reduce((sum, part) => sum + part.likely, 0)
  expect(shares).toBe(finding.likely.trials)
})
