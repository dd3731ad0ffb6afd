import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { launch, openPage } from './browser.ts'
import { population } from './population.ts'
import { Served } from './served.ts'

const launched = await launch()
if (typeof launched === 'string')
  process.stderr.write(`the page was not tested: Chromium does not start here (${launched})\n`)

describe.skipIf(typeof launched === 'string')('the page', () => {
  const browser = launched as Browser
  let server: Served
  let opened: Awaited<ReturnType<typeof openPage>> | undefined
  const open = async (address: string) => {
    opened = await openPage(browser, address)
    opened.page.setDefaultTimeout(20_000)
    return opened.page
  }
  beforeAll(async () => {
    server = await Served.start(population().path('reticent.yaml'))
  })
  beforeEach(() => {
    opened = undefined
  })
  afterEach(async () => {
    await opened?.close()
    expect(opened?.faults ?? []).toEqual([])
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('a release is followed while it goes on, and stopped', async () => {
    const people = connect({ url: server.url }).dataset('people')
    const { id } = await people.startJob({ kind: 'synth', options: { epsilon: 0.1, method: 'mwem', rounds: 60 } })
    const page = await open(`${server.url}/#/publish?job=${id}`)
    const share = async () => Number(await page.getByLabel('Progress').locator('progress').getAttribute('value'))
    const first = await share()
    await expect.poll(share, { timeout: 60_000 }).toBeGreaterThan(first)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('It was stopped. What it had spent by then stays spent.').waitFor()
    expect((await people.job(id)).state).toBe('cancelled')
  })
})
