import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { labels, queried, sources, synthFiles, workspace } from './synth-workspace.ts'

/** A synthetic table in a format has the columns, values and types of the private one. */
export async function checkFormat(format: string): Promise<void> {
  const place = workspace()
  const { status, json, stdout } = place.run(
    'synth',
    '--method',
    'independent',
    '--epsilon',
    '2',
    '--rows',
    '3000',
    '--out',
    `made.${format}`,
    '--json',
  )
  expect(status, stdout).toBe(0)
  expect(json).toMatchObject({ method: 'independent', rows: 3000, records: { from: 'bought' }, warnings: [] })
  expect(synthFiles(place).sort()).toEqual(
    [`made.${format}`, 'made.model.json', 'made.report.html', 'made.synth.json'].sort(),
  )
  expect(JSON.parse(readFileSync(place.path('made.synth.json'), 'utf8'))).toMatchObject({
    dataset: 'people',
    rows: 3000,
    receipt: json.receipt,
  })

  const attach = format === 'duckdb' ? `ATTACH '${place.path('made.duckdb')}' AS made (READ_ONLY); ` : ''
  const source = sources[format]!(place.path(`made.${format}`))
  const types = await queried(`${attach}SELECT column_name, column_type FROM (DESCRIBE FROM ${source})`)
  expect(types.map((row) => Object.values(row))).toEqual([
    ['label', 'VARCHAR'],
    ['age', 'BIGINT'],
    ['rate, %', 'DOUBLE'],
    ['member', 'BOOLEAN'],
    ['born', 'DATE'],
  ])
  const [whole] =
    await queried(`${attach}SELECT COUNT(*) AS n, MIN(age) AS low, MAX(age) AS high, COUNT(DISTINCT born) AS days,
  MIN(born) AS first, MAX(born) AS last, COUNT(*) FILTER ("rate, %" * 4 <> round("rate, %" * 4)) AS uneven, COUNT(*) FILTER (member IS NULL) AS nulls FROM ${source}`)
  expect(whole).toMatchObject({ n: '3000', uneven: '0', nulls: '0' })
  expect(Number(whole!.low)).toBeGreaterThanOrEqual(0)
  expect(Number(whole!.high)).toBeLessThanOrEqual(39)
  // Months have many days, and none is outside of the bounds.
  expect(Number(whole!.days)).toBeGreaterThan(200)
  expect(String(whole!.first) >= '1990-03-10' && String(whole!.last) <= '1994-10-20').toBe(true)
  const found = await queried(`${attach}SELECT label, COUNT(*) AS n FROM ${source} GROUP BY label`)
  // Each of seven labels has a seventh of 3,000 rows; the noise in its count is below 20 of 2,000, and 'other' and NULL are rare.
  for (const label of labels) {
    const count = Number(found.find((row) => row.label === label)?.n)
    expect(Math.abs(count - 3000 / 7), label).toBeLessThan(200)
  }
  expect(found.filter((row) => row.label !== null && row.label !== 'other').length).toBe(labels.length)
}
