import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { launch, openPage } from './browser.ts'
import { population } from './population.ts'
import { Served } from './served.ts'

/** What a test of the page has: the address of a server with a table, and a way to open pages of it. */
interface PageTests {
  readonly url: () => string
  /** One at a time. Faults in its console fail the test. */
  readonly open: (address: string) => Promise<Page>
}

/** Tests of the page in Chromium; where that does not start, they are skipped, and it says so. */
export async function describePage(tests: (given: PageTests) => void): Promise<void> {
  const launched = await launch()
  if (typeof launched === 'string')
    process.stderr.write(`the page was not tested: Chromium does not start here (${launched})\n`)
  describe.skipIf(typeof launched === 'string')('the page', () => {
    const browser = launched as Browser
    let server: Served
    let opened: Awaited<ReturnType<typeof openPage>> | undefined
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
    tests({
      url: () => server.url,
      async open(address) {
        opened = await openPage(browser, address)
        return opened.page
      },
    })
  })
}
