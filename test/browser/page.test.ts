import { expect, test } from 'vitest'
import { describePage } from './page-suite.ts'
import { askAddress, askIt, heldBack, priceOn } from './steps.ts'

await describePage(({ url, open }) => {
  test('answers what is typed, after it has said the price', async () => {
    const page = await open(url())
    await page.locator('.example .badge').first().waitFor()
    await page.getByLabel('Question in SQL').pressSequentially("SELECT COUNT(*) FROM people WHERE state = 'C")
    await page.getByRole('option', { name: 'CA' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.getByLabel('Question in SQL').inputValue()).toBe("SELECT COUNT(*) FROM people WHERE state = 'CA'")
    await page.getByRole('button', { name: /Ask · ε/ }).waitFor()
    expect(await page.locator('.ribbon-words').innerText()).toMatch(/^\+/)
    await page.keyboard.press('Enter')
    await page.locator('.answer-estimate').waitFor()
    // 3 of 7 of 20,000 people; off by 30 half-widths would be a miracle.
    const estimate = Number((await page.locator('.answer-estimate').innerText()).replaceAll(',', ''))
    expect(Math.abs(estimate - (20_000 * 3) / 7)).toBeLessThan(3000)
    expect(await page.locator('.answer').innerText()).toMatch(/±.*95% sure/)
    await page.getByText('Why this answer?').click()
    await page.getByRole('link', { name: /^no\. \d/ }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
  })

  test('a finer precision costs more, and the free one nothing', async () => {
    const page = await open(askAddress(url(), 'SELECT COUNT(*) FROM people WHERE age >= 65', 60))
    await page.getByRole('button', { name: 'Ask · free' }).waitFor()
    await page.locator('.curve').waitFor()
    const slider = page.getByRole('slider', { name: 'Precision' })
    await slider.press('PageDown')
    await page.getByRole('button', { name: /Ask · ε/ }).waitFor()
    const first = await priceOn(page)
    await slider.press('PageDown')
    await expect.poll(() => priceOn(page)).toBeGreaterThan(first)
    expect(first).toBeGreaterThan(0)
  })

  test('a link holds the question and its precision', async () => {
    const page = await open(askAddress(url(), 'SELECT AVG(age) FROM people', 1.5))
    expect(await page.getByLabel('Question in SQL').inputValue()).toBe('SELECT AVG(age) FROM people')
    expect(await page.getByLabel('Half-width of the interval').inputValue()).toBe('1.5')
    await page.getByLabel('Half-width of the interval').fill('2')
    await page.keyboard.press('Tab')
    await page.waitForURL(/within=2$/)
  })

  test('a half-width of counts is not kept for an average', async () => {
    const page = await open(askAddress(url(), 'SELECT COUNT(*) FROM people', 150))
    await page.getByRole('button', { name: /Ask · / }).waitFor()
    await page.getByLabel('Question in SQL').fill('SELECT COUNT(*) FROM people WHERE age >= 30')
    await page.waitForURL(/age.*within=150$/)
    await page.getByLabel('Question in SQL').fill('SELECT AVG(age) FROM people')
    await page.waitForURL((address) => /AVG/.test(address.hash) && !/within/.test(address.hash))
  })

  test('nothing is asked before its own price is on the screen', async () => {
    const page = await open(askAddress(url(), 'SELECT COUNT(*) FROM people', 150))
    await page.getByRole('button', { name: /Ask · / }).waitFor()
    await page.locator('.curve').waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/ask')) asked.push(request.postDataJSON().sql)
    })
    const release = await heldBack(page, /\/(plan|curve)$/)
    // Another count keeps its half-width, so that only the price is missing.
    for (const sql of ['SELECT COUNT(*) FROM people WHERE age >= 31', 'SELECT AVG(age) FROM people']) {
      await page.getByLabel('Question in SQL').fill(sql)
      await page.getByLabel('Question in SQL').press('Enter')
    }
    // What suits counts says nothing about an average.
    expect(await page.getByLabel('Half-width of the interval').inputValue()).toBe('')
    release()
    await page.locator('.plan-line:not(.waiting) strong').waitFor()
    expect(asked).toEqual([])
    await page.getByLabel('Question in SQL').press('Enter')
    await expect.poll(() => asked).toEqual(['SELECT AVG(age) FROM people'])
  })

  test('the first price of a publication does not depend on the way to it', async () => {
    const page = await open(`${url()}/#/publish`)
    const price = page.getByLabel('Privacy to spend ε')
    await page.getByRole('button', { name: /^Publish · / }).waitFor()
    await expect.poll(() => price.inputValue()).toBe('0.2')
    await page.getByRole('link', { name: 'Budget' }).click()
    await page.getByRole('link', { name: 'Publish' }).click()
    await page.getByRole('button', { name: /^Publish · / }).waitFor()
    expect(await price.inputValue()).toBe('0.2')
  })

  test('what is mistyped is mended by a click', async () => {
    const page = await open(askAddress(url(), "SELECT COUNT(*) FROM people WHERE sexx = 'Female'", 50))
    await page.getByRole('button', { name: 'sex', exact: true }).click()
    await page.getByRole('button', { name: /Ask · / }).waitFor()
    expect(await page.getByLabel('Question in SQL').inputValue()).toBe(
      "SELECT COUNT(*) FROM people WHERE sex = 'Female'",
    )
  })

  test('a sentence writes SQL', async () => {
    const page = await open(url())
    await page.getByRole('button', { name: 'Sentence' }).click()
    await page.getByLabel('+ where …').selectOption('state')
    await page.getByLabel('+ for each …').selectOption('sex')
    expect(await page.getByLabel('Question in SQL').inputValue()).toBe(
      "SELECT sex, COUNT(*) FROM people WHERE state = 'CA' GROUP BY sex",
    )
  })

  test('groups are a table, a line with a band or a heat map', async () => {
    const page = await open(askAddress(url(), 'SELECT born, COUNT(*) FROM people GROUP BY 1', 120))
    await askIt(page)
    expect(await page.locator('table.groups tbody tr').count()).toBe(60)
    await page.getByRole('button', { name: 'Chart' }).click()
    await page.locator('.chart [aria-label=line] path').first().waitFor()
    await page.goto(askAddress(url(), 'SELECT state, sex, COUNT(*) FROM people GROUP BY 1, 2', 500))
    await page.getByText('SELECT born', { exact: false }).first().waitFor()
    await askIt(page)
    await page.getByText('state down, sex across').waitFor()
    // NULL has nobody, and ± 500 holds 0 there.
    await page.locator('.chart [fill="url(#hatching)"] rect, .chart rect[fill="url(#hatching)"]').first().waitFor()
  })

  test('what the budget does not allow is refused, with the free answer beside it', async () => {
    const page = await open(askAddress(url(), "SELECT COUNT(*) FROM people WHERE sex = 'Male'", 0.5))
    await page.getByText(/only .* left/).waitFor()
    const spent = await page.locator('.ribbon-words > :last-child').innerText()
    await page.getByLabel('Question in SQL').press('Enter')
    await page.getByText(/^This costs ε/).waitFor()
    await page.locator('.answer').getByText('from earlier answers, at no cost').waitFor()
    await page.getByRole('button', { name: /Let a model estimate it/ }).click()
    const estimate = page.getByRole('region', { name: 'A model’s estimate' })
    await estimate.getByText(/^[\d,]+ · typically off by \d/).waitFor()
    await estimate.getByText('an estimate, not an answer', { exact: false }).waitFor()
    expect(await page.locator('.ribbon-words > :last-child').innerText()).toBe(spent)
  })

  test('an old answer is refined in the history', async () => {
    const page = await open(`${url()}/#/history`)
    await page.locator('.entry', { hasText: 'age >= 65' }).first().click()
    await page.getByText(/^By itself: /).waitFor()
    await page.getByRole('button', { name: 'Refine' }).click()
    await page.getByText(/^Now .* ± /).waitFor()
  })

  test('tables are published, drawn and downloaded', async () => {
    const page = await open(`${url()}/#/publish`)
    await page.getByRole('button', { name: 'none' }).click()
    await page.getByRole('button', { name: /^sex × state/ }).click()
    await page.getByRole('button', { name: /^age:/ }).click()
    await page.getByRole('button', { name: /^Publish · ε/ }).click()
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await page.locator('.multiple svg rect').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /sex_by_state\.csv/ }).click(),
    ])
    expect(download.suggestedFilename()).toBe('sex_by_state.csv')
  })
})
