import chromium from '@sparticuz/chromium'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import { inOuterFolder } from '../support/servers/run.ts'

/** What Chromium needs where it runs as root, and what keeps it from calling home. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** The Chromium that npm has brought along; or, as a text, why it does not start here. */
export async function launch(): Promise<Browser | string> {
  try {
    return await playwright.launch({
      executablePath: await inOuterFolder(() => chromium.executablePath()),
      args: flags,
    })
  } catch (error) {
    return String(error).split('\n')[0]!
  }
}

/** How a page is looked at. */
export interface View {
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
}

/** A page in a context of its own, with what went wrong on it. */
export async function openPage(
  browser: Browser,
  address: string,
  { dark = false, width = 1200, height = 820 }: View = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  // For what never comes: on a busy machine a page may take half a minute.
  context.setDefaultTimeout(100_000)
  const page = await context.newPage()
  const faults = watch(page, new URL(address).origin)
  await page.goto(address)
  return { page, faults, close: () => context.close() }
}

/**
 * Errors on the console, and requests to anybody but the server. What the server refuses is written to the console by the browser
 * itself; that is no fault of the page.
 */
function watch(page: Page, origin: string): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const isRefusal = /^Failed to load resource: .*status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isRefusal) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('blob:'))
      faults.push(`request to ${request.url()}`)
  })
  return faults
}
