// The page in Chromium, on the demo: how much script it loads, how soon a plan follows the last key, and an answer Enter.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { launch, openPage } from '../test/browser/browser.ts'
import { Served } from '../test/browser/served.ts'
import { askAddress } from '../test/browser/steps.ts'
import { type Figure, median, report } from './harness.ts'

/** The whole text at once: what happens after the last key. */
const type = (sql: string): string =>
  `area.value = ${JSON.stringify(sql)}; area.dispatchEvent(new InputEvent('input', { bubbles: true }))`
const enter = "area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))"

const browser = await launch()
if (typeof browser === 'string')
  process.stdout.write(`the page is not measured: Chromium does not start here (${browser})\n`)
else await report('page', [scriptSize(), ...(await waits(browser))])

function scriptSize(): Figure {
  const assets = 'dist/web/assets'
  const files = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0)
  return { what: 'script, gzipped', value: bytes / 1000, unit: 'kB', atMost: 150 }
}

async function waits(browser: Browser): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-page-'))
  spawnSync(process.execPath, ['dist/cli/main.js', 'demo', '--no-serve', '--dir', folder], { stdio: 'ignore' })
  const server = await Served.start(join(folder, 'reticent.yaml'))
  try {
    const { page } = await openPage(browser, askAddress(server.url, 'SELECT COUNT(*) FROM census', 130))
    await page.locator('.curve-dot').waitFor()
    const plans: number[] = []
    const answers: number[] = []
    for (let age = 20; age < 32; age++) {
      const sql = `SELECT COUNT(*) FROM census WHERE age >= ${age}`
      plans.push(await wait(page, '.plan-line', sql, type(sql)))
      // Each is new and costs something. The curve is drawn, too, before Enter, as it is for people.
      await page.waitForLoadState('networkidle')
      if (age % 2 === 0) answers.push(await wait(page, '.answer', sql, enter))
    }

    return [
      { what: 'a plan after the last key, median of 12', value: median(plans), unit: 'ms', atMost: 150 },
      { what: 'a bought answer after Enter, median of 6', value: median(answers), unit: 'ms', atMost: 1000 },
    ]
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Does something on the page and waits until what it shows there is about this statement: milliseconds, by the browser's clock. */
function wait(page: Page, selector: string, sql: string, act: string): Promise<number> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const begun = performance.now()
    const look = () => {
      const waited = performance.now() - begun
      const place = document.querySelector(${JSON.stringify(selector)})
      if (place?.dataset.of === ${JSON.stringify(sql)} && !place.classList.contains('waiting')) resolve(waited)
      else if (waited > 60000) reject(new Error('nothing came'))
      else requestAnimationFrame(look)
    }
    const area = document.querySelector('textarea')
    ${act}
    look()
  })`)
}
