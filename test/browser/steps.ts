import type { Page } from 'playwright-core'

/** The address of a question on the page. */
export const askAddress = (url: string, sql: string, within?: number): string =>
  `${url}/#/ask?q=${encodeURIComponent(sql)}${within === undefined ? '' : `&within=${within}`}`

/** Waits for the plan, asks by the keyboard and waits for the answer. */
export async function askIt(page: Page): Promise<void> {
  await page.locator('.plan-line:not(.waiting) strong').waitFor()
  await page.getByLabel('Question in SQL').press('Enter')
  await page.getByRole('region', { name: 'Answer' }).waitFor()
}

/** The price on the screen: 0 where it says that it is free. */
export async function priceOn(page: Page): Promise<number> {
  const text = (await page.locator('.plan-line').innerText()).trim()
  return text.startsWith('Free') ? 0 : Number(/ε\s*([\d.]+)/.exec(text)?.[1])
}

/** Keeps requests waiting, as a busy server would, until the function that it returns is called. */
export async function heldBack(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    // The page may have given up on it meanwhile.
    await route.continue().catch(() => undefined)
  })
  return resolve
}
