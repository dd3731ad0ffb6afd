import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, openPage } from './browser.ts'
import { population } from './population.ts'
import { Served } from './served.ts'
import { askAddress, askIt } from './steps.ts'

const launched = await launch()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe calls serious or critical, each with the elements it is about. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`))
}

describe.skipIf(typeof launched === 'string')('who may see the page, and how', () => {
  const browser = launched as Browser
  const workspace = population({ analysts: '  analysts: { alice: 1, bob: 0.5 }\n' })
  const token = (...args: string[]) => workspace.run('token', 'add', ...args, '--json').json.token as string
  let server: Served
  let tokens: { readonly owner: string; readonly alice: string }
  beforeAll(async () => {
    tokens = { owner: token('--owner'), alice: token('alice') }
    server = await Served.start(workspace.path('reticent.yaml'))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })
  const signIn = async (page: Page, token: string) => {
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  test('a wrong token is refused, the right one opens the page until one signs out', async () => {
    const { page, faults, close } = await openPage(browser, server.url)
    await signIn(page, 'not-a-token')
    await page.getByText('This token is unknown.').waitFor()
    await signIn(page, tokens.alice)
    await page.getByText('alice', { exact: true }).waitFor()
    await page.goto(`${server.url}/#/data`)
    await page.getByRole('heading', { name: 'What is promised' }).waitFor()
    expect(await page.getByText('For the owner').count()).toBe(0)
    await page.reload()
    await page.getByText('alice', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('the owner makes a token, which is shown once, and revokes it', async () => {
    const { page, faults, close } = await openPage(browser, `${server.url}/#/data`)
    await signIn(page, tokens.owner)
    await page.getByText('✓ Policy, source and ledger are in order.').waitFor()
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText(/chain unbroken/).waitFor()
    await page.getByLabel('Analyst').selectOption('bob')
    await page.getByRole('button', { name: 'Make a token' }).click()
    await page.getByText('This is the only time that it is shown.').waitFor()
    await page.getByRole('row', { name: /bob/ }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name: /bob/ }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await close()
  })

  const pages = {
    ask: (page: Page) => askIt(page),
    history: (page: Page) => page.locator('.entry summary').first().click(),
    publish: (page: Page) => page.locator('.shade-0, .shade-1, .shade-2, .shade-3, .hopeless').first().waitFor(),
    budget: (page: Page) => page.locator('.plot').waitFor(),
    data: (page: Page) => page.getByText('Tokens').waitFor(),
  }
  test.each([false, true])('axe finds nothing serious on any page; dark: %s', async (dark) => {
    const { page, faults, close } = await openPage(browser, server.url, { dark })
    const found: string[] = []
    const look = async (name: string) => found.push(...(await violations(page)).map((fault) => `${name}: ${fault}`))
    await look('login')
    await signIn(page, tokens.owner)
    await page.getByText('What would you like to know?').waitFor()
    await look('empty')
    for (const [name, arrive] of Object.entries(pages)) {
      const address = `${server.url}/#/${name}`
      await page.goto(
        name === 'ask' ? askAddress(server.url, 'SELECT sex, COUNT(*) FROM people GROUP BY 1', 80) : address,
      )
      await arrive(page)
      await look(name)
    }
    expect(found).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})
