// Prints the tables of the pages whose path contains a word: node scripts/tables/make.ts ratios
import { pageTables } from './index.ts'
import { rowText } from './page-table.ts'

const word = process.argv[2] ?? ''
for (const { page, header, make } of pageTables.filter(({ page }) => page.includes(word))) {
  const rows = [header, header.map(() => '---'), ...(await make())]
  process.stdout.write(`${page}\n\n${rows.map(rowText).join('\n')}\n\n`)
}
