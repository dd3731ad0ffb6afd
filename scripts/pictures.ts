// Draws every page of the demo in light, in dark and 400 px wide, so that somebody can look at them: all of them go into
// docs/pictures/all, the few that the docs show into docs/pictures.
// usage: node scripts/pictures.ts [NAME…]
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { launch, openPage, type View } from '../test/browser/browser.ts'
import { Served } from '../test/browser/served.ts'
import { askAddress, askIt } from '../test/browser/steps.ts'

interface Picture {
  readonly address: (url: string) => string
  readonly arrive: (page: Page) => Promise<unknown>
}
const at = (hash: string) => (url: string) => `${url}/#/${hash}`
const question = (sql: string, within?: number) => (url: string) => askAddress(url, sql, within)
const calm = (page: Page) => page.waitForLoadState('networkidle')

const pictures: Record<string, Picture> = {
  begin: { address: at('ask'), arrive: (page) => page.locator('.example .badge').nth(3).waitFor() },
  ask: { address: question('SELECT COUNT(*) FROM census WHERE age >= 65', 75), arrive: askIt },
  plan: {
    address: question("SELECT COUNT(*) FROM census WHERE state = 'SP' AND gender = 'Female'"),
    arrive: (page) => page.locator('.curve-dot').waitFor(),
  },
  groups: {
    address: question('SELECT marital_status, COUNT(*) FROM census WHERE age < 30 GROUP BY 1', 400),
    arrive: askIt,
  },
  heat: { address: question('SELECT education, race, COUNT(*) FROM census GROUP BY 1, 2', 300), arrive: askIt },
  line: {
    address: question('SELECT age, COUNT(*) FROM census GROUP BY 1', 150),
    arrive: async (page) => {
      await askIt(page)
      await page.getByRole('button', { name: 'Chart' }).click()
    },
  },
  sentence: {
    address: question(
      "SELECT education, COUNT(*) FROM census WHERE gender = 'Female' AND age >= 18 GROUP BY education",
    ),
    arrive: async (page) => {
      await page.getByRole('button', { name: 'Sentence' }).click()
      await page.locator('.curve-dot').waitFor()
    },
  },
  mistake: {
    address: question("SELECT COUNT(*) FROM census WHERE gendr = 'Female'", 100),
    arrive: (page) => page.locator('.mistake .link').waitFor(),
  },
  refused: {
    address: question("SELECT COUNT(*) FROM census WHERE marital_status = 'Widowed'", 1),
    arrive: async (page) => {
      await askIt(page)
      await page.getByText(/^This costs/).waitFor()
    },
  },
  model: {
    address: question('SELECT race, COUNT(*) FROM census WHERE age >= 65 GROUP BY race', 2),
    arrive: async (page) => {
      await page.getByText(/only .* left/).waitFor()
      await page.getByLabel('Question in SQL').press('Enter')
      await page.getByRole('button', { name: /Let a model estimate it/ }).click()
      await page.getByRole('heading', { name: 'A model’s estimate' }).waitFor()
    },
  },
  history: {
    address: at('history'),
    arrive: async (page) => {
      await page.locator('.entry', { hasText: 'WHERE age >= 65' }).first().locator('summary').click()
      await page.locator('.refine').waitFor()
    },
  },
  publish: {
    address: at('publish'),
    arrive: async (page) => {
      await page.getByRole('button', { name: 'all pairs' }).click()
      await page.getByRole('button', { name: /^education × occupation.*expected error/ }).waitFor()
    },
  },
  tables: { address: at('publish'), arrive: (page) => openJob(page, '10 tables') },
  'synthetic-form': { address: at('publish?kind=synthetic'), arrive: (page) => page.getByText(/^Publish ·/).waitFor() },
  synthetic: { address: at('publish'), arrive: (page) => openJob(page, 'Synthetic data') },
  budget: {
    address: at('budget'),
    arrive: async (page) => {
      await page.locator('.plot').waitFor()
      await page.getByText('off by').nth(1).waitFor()
    },
  },
  data: { address: at('data'), arrive: (page) => page.getByText('✓ Policy').waitFor() },
}
const views: Record<string, View> = { light: {}, dark: { dark: true }, narrow: { width: 400, height: 800 } }
/** What the docs show. */
const kept = ['ask-light', 'heat-dark', 'history-light', 'publish-light', 'budget-light', 'plan-narrow']

async function openJob(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).first().click()
  await page.locator('.multiple svg').nth(3).waitFor()
}

/** Publishes what the pictures of results show. */
async function publishSomething(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/publish`)
  await page.getByRole('button', { name: /^gender × education/ }).click()
  await page.getByRole('button', { name: /^marital_status × race/ }).click()
  await page.getByRole('button', { name: /^Publish · ε/ }).click()
  await page.getByRole('heading', { name: 'Files' }).waitFor()
  await page.goto(`${url}/#/publish?kind=synthetic`)
  await page.reload()
  await page.getByLabel('Records to make up').fill('20000')
  await page.getByRole('button', { name: /^Publish · ε/ }).click()
  await page.getByRole('heading', { name: 'Files' }).waitFor()
}

const folder = mkdtempSync(join(tmpdir(), 'reticent-pictures-'))
const out = resolve('docs/pictures')
mkdirSync(join(out, 'all'), { recursive: true })
const browser = await launch()
if (typeof browser === 'string') throw new Error(`Chromium does not start here: ${browser}`)
spawnSync(process.execPath, ['dist/cli/main.js', 'demo', '--no-serve', '--dir', folder], {
  stdio: ['ignore', 'ignore', 2],
})
const server = await Served.start(join(folder, 'reticent.yaml'))
try {
  const { page, close } = await openPage(browser, server.url)
  page.setDefaultTimeout(120_000)
  await publishSomething(page, server.url)
  await close()
  const wanted = process.argv.slice(2)
  for (const [view, look] of Object.entries(views))
    for (const [name, { address, arrive }] of Object.entries(pictures)) {
      if (wanted.length > 0 && !wanted.includes(name) && !wanted.includes(`${name}-${view}`)) continue
      const { page, faults, close } = await openPage(browser, address(server.url), look)
      page.setDefaultTimeout(60_000)
      await arrive(page)
      await calm(page)
      await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)')
      const file = join(out, 'all', `${name}-${view}.png`)
      await page.screenshot({ path: file, fullPage: true })
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (kept.includes(`${name}-${view}`)) copyFileSync(file, join(out, `${name}-${view}.png`))
      process.stdout.write(
        `${name}-${view}${Number(beyond) > 0 ? ` is ${beyond} px too wide` : ''} ${faults.join('; ')}\n`,
      )
      await close()
    }
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true })
}
