import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pageTables } from '../../scripts/tables/index.ts'
import { rowText } from '../../scripts/tables/page-table.ts'

const root = new URL('../../', import.meta.url)

test.each(pageTables.map((table) => [table.page, rowText(table.header), table] as const))(
  '%s has the table that its script makes: %s',
  async (page, header, { make }) => {
    const [, below] = readFileSync(new URL(page, root), 'utf8').split(`${header}\n`)
    const rows = below?.split('\n\n')[0]?.split('\n').slice(1)
    expect(rows).toEqual((await make()).map(rowText))
  },
)
