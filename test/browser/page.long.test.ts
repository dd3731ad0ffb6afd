import { expect, test } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { describePage } from './page-suite.ts'

await describePage(({ url, open }) => {
  test('a release is followed while it goes on, and stopped', async () => {
    const people = connect({ url: url() }).dataset('people')
    const { id } = await people.startJob({ kind: 'synth', options: { epsilon: 0.1, method: 'mwem', rounds: 60 } })
    const page = await open(`${url()}/#/publish?job=${id}`)
    const share = async () => Number(await page.getByLabel('Progress').locator('progress').getAttribute('value'))
    const first = await share()
    await expect.poll(share).toBeGreaterThan(first)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('It was stopped. What it had spent by then stays spent.').waitFor()
    expect((await people.job(id)).state).toBe('cancelled')
  })
})
