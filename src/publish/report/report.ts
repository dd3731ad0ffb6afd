import type { MarginalTable, MarginalTables, RecordsUsed } from '../../release/index.ts'
import { labelsOf, publishedOf } from '../columns.ts'
import { agreementOf, howExpected } from '../summary.ts'
import { barsOf } from './bars.ts'
import { notesOf } from './groups.ts'
import { heatMapOf } from './heat-map.ts'
import { escaped, words } from './html.ts'
import { type Fact, factsOf, page, shadesKey } from './page.ts'

/** A page with more pictures and rows than this is large, and nobody looks at all of them. */
const [mostPictures, mostRows, mostCells] = [60, 300, 12]

/** A page of its own about a release: it loads nothing, runs nothing, and shows public numbers alone. */
export function reportOf(release: MarginalTables, files: readonly string[]): string {
  const { dataset, tables, warnings, receipt, raw } = release
  const pictures = tables.slice(0, mostPictures).map((table, i) => figure(table, files[i]!, raw))
  const more =
    tables.length > mostPictures
      ? `<p class="soft">The other ${tables.length - mostPictures} tables are in their files.</p>`
      : ''
  return page(
    `${dataset}: released tables`,
    `<h1>${escaped(dataset)}</h1>
<p class="soft">${tables.length === 1 ? 'One table' : `${tables.length} tables`} of counts, released by Reticent under differential privacy.</p>
${warnings.map((text) => `<p class="warning">${escaped(text)}</p>`).join('\n')}
${facts(release)}
<h2>Expected error</h2>
${errors(release)}
<h2>Where the budget went</h2>
${budget(release)}
<h2>What agrees</h2>
<ul>
${agreementOf(release)
  .map((text) => `<li>${escaped(text)}</li>`)
  .join('\n')}
</ul>
<h2>The tables</h2>
<p class="soft">${raw ? 'Measured values; negative ones are drawn as 0.' : 'Counts.'} Lines across bars are 95% intervals${raw ? '' : ' of the combined estimate'}, for each cell by itself. Shades of heat maps go from 0 to the largest count of each by equal factors:
${shadesKey}</p>
${pictures.join('\n')}
${more}
<p class="soft">Receipt of the ledger: <code>${escaped(receipt)}</code></p>`,
  )
}

const fromWords: { readonly [F in RecordsUsed['from']]: string } = {
  public: 'public',
  history: 'known from earlier releases',
  bought: 'bought with a share of the price',
  tables: 'the total of the tables',
}

/** What the tables add up to, and the number that scales were computed from where that is another one. */
function recordsFact({ raw, total, noise, records: { count, from } }: MarginalTables): [string, string, string] {
  const used = words(Math.round(count))
  if (raw || from === 'tables' || Math.round(count) === total) return ['records', used, fromWords[from]]
  return [
    'records',
    words(total),
    `the total of the tables; ${noise === 'gaussian' ? 'the floor was' : 'scales were'} computed from ${used}, ${fromWords[from]}`,
  ]
}

function facts(release: MarginalTables): string {
  const { method, epsilon, delta, noise, floor, tables, neighbours } = release
  const all = tables.reduce((sum, { counts }) => sum + counts.length, 0)
  const list: Fact[] = [
    [
      delta > 0 ? `ε at δ = ${delta}` : 'ε',
      words(epsilon),
      method === null ? 'nothing was bought: everything is from the history' : neighbours,
    ],
    ['method', method ?? 'none', noise === 'gaussian' ? 'Gaussian noise' : ''],
    ['tables', words(tables.length), `${words(all)} cells`],
    recordsFact(release),
    ['floor', words(floor), 'errors of smaller counts are relative to it'],
  ]
  return factsOf(list)
}

function errors({ expected: { measured, counts, zeros }, raw }: MarginalTables): string {
  const rows: [string, number | undefined, boolean][] = [
    ['measured values', measured, raw],
    ['counts: all whole tables released so far combined, no negative numbers', counts, !raw],
    ['for comparison: tables of zeros', zeros, false],
  ]
  const line = ([name, value, own]: (typeof rows)[0]) => {
    const over = value !== undefined && value > zeros ? ' over' : ''
    return `<tr><td>${own ? `<b>${name}</b> (published)` : name}</td><td class="n${over}">${value === undefined ? '–' : words(value)}</td></tr>`
  }
  return `<div class="table"><table><tr><th>overall relative error<th class="n">expected</tr>${rows.map(line).join('')}</table></div>
<p class="soft">${escaped(howExpected)}</p>`
}

function budget({ tables, records, noise }: MarginalTables): string {
  // Of Gaussian noise people know σ, and prices add up in ρ.
  const [unit, scale, currency] =
    noise === 'gaussian' ? ['ρ', 'noise, σ', 'rho' as const] : ['ε', 'noise scale', 'epsilon' as const]
  const priceOf = (paid: { epsilon?: number; rho?: number } | undefined) => paid?.[currency] ?? 0
  const most = tables.reduce((most, { measured }) => Math.max(most, priceOf(measured)), priceOf(records))
  const bar = (price: number) =>
    `<td class="meter"><i style="width:${(most > 0 ? (100 * price) / most : 0).toFixed(1)}%"></i></td>`
  const ofRecords =
    records.epsilon === undefined
      ? ''
      : `<tr><td>the number of records</td><td class="n">1</td>${bar(priceOf(records))}<td class="n">${words(priceOf(records))}</td><td class="n">${words(records.scale!)}</td><td class="n">–</td><td class="n">–</td><td class="n">–</td></tr>\n`
  const line = ({ attributes, counts, measured, expected }: MarginalTable) => {
    const over = expected.counts > expected.zeros ? ' over' : ''
    return `<tr><td>${escaped(attributes.map(({ name }) => name).join(' × '))}</td><td class="n">${words(counts.length)}</td>${bar(priceOf(measured))}<td class="n">${measured ? words(priceOf(measured)) : '–'}</td><td class="n">${measured ? words(measured.scale) : '–'}</td><td class="n">${expected.measured === undefined ? '–' : words(expected.measured)}</td><td class="n${over}">${words(expected.counts)}</td><td class="n">${words(expected.zeros)}</td></tr>`
  }
  const rest =
    tables.length > mostRows ? `<p class="soft">… and ${tables.length - mostRows} more in release.json.</p>` : ''
  return `<div class="table"><table><tr><th>table<th class="n">cells<th><th class="n">${unit}<th class="n">${scale}<th class="n">error, measured<th class="n">error, counts<th class="n">zeros</tr>
${ofRecords}${tables.slice(0, mostRows).map(line).join('\n')}
</table></div>${rest}`
}

function figure(table: MarginalTable, file: string, raw: boolean): string {
  const { attributes } = table
  const title = escaped(attributes.map(({ name }) => name).join(' × '))
  const { picture, note } = pictureOf(table, raw)
  const { within } = publishedOf(table, raw)
  return `<figure><figcaption><h3>${title}</h3><small>${escaped(file)} · each cell by itself within ±${words(within)} (95%)${note ? ` · ${escaped(note)}` : ''}</small></figcaption>
${picture}</figure>`
}

function pictureOf(table: MarginalTable, raw: boolean): { picture: string; note: string } {
  if (table.attributes.length === 1) {
    const { svg, axis } = barsOf(table, raw)
    return { picture: svg, note: notesOf([axis]) }
  }
  if (table.attributes.length === 2) {
    const { svg, axes } = heatMapOf(table, raw)
    return { picture: svg, note: notesOf(axes) }
  }
  return { picture: largest(table, raw), note: `its ${mostCells} largest cells` }
}

/** Of three attributes and more, the largest cells as a list. */
function largest(table: MarginalTable, raw: boolean): string {
  const { values } = publishedOf(table, raw)
  const top: number[] = []
  for (let cell = 0; cell < values.length; cell++) {
    if (top.length === mostCells && values[cell]! <= values[top.at(-1)!]!) continue
    const place = top.findIndex((other) => values[other]! < values[cell]!)
    top.splice(place < 0 ? top.length : place, 0, cell)
    top.length = Math.min(top.length, mostCells)
  }
  const labels = labelsOf(table.attributes, (text) => escaped(text ?? 'NULL'))
  const line = (cell: number) =>
    `<tr>${labels(cell)
      .map((text) => `<td>${text}</td>`)
      .join('')}<td class="n">${words(values[cell]!)}</td></tr>`
  return `<table><tr>${table.attributes.map(({ name }) => `<th>${escaped(name)}`).join('')}<th class="n">${raw ? 'measured' : 'count'}</tr>${top.map(line).join('')}</table>`
}
