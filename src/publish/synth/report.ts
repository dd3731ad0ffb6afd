import type { SyntheticTable } from '../../release/index.ts'
import { escaped, words } from '../report/html.ts'
import { type Fact, factsOf, page, shadesKey } from '../report/page.ts'
import type { SynthFiles } from './files.ts'
import { pairErrors } from './report-errors.ts'
import { oneWayFigures, pairFigures } from './report-figures.ts'
import type { Quality } from './summary.ts'

/** A page with more rows than this is large, and nobody looks at all of them. */
const mostSteps = 300

/** A page of its own about a synthetic table: what was measured, with which noise, and what the model makes of it. */
export function synthReport(table: SyntheticTable, quality: Quality, { names }: Pick<SynthFiles, 'names'>): string {
  const { dataset, rows, warnings, receipt } = table
  return page(
    `${dataset}: synthetic table`,
    `<h1>${escaped(dataset)}: a synthetic table</h1>
<p class="soft">${words(rows[0]!.length)} made-up records in ${escaped(names.table)}, drawn by Reticent from a model fitted to noisy counts. No record is a real person, and everything on this page is public. The model knows only what was measured: treat what you find in the table as a hint, and ask for the numbers that matter.</p>
${warnings.map((text) => `<p class="warning">${escaped(text)}</p>`).join('\n')}
${facts(table)}
<h2>Where the budget went</h2>
${budget(table)}
<h2>Expected error</h2>
${pairErrors(table, quality)}
<h2>Single attributes</h2>
<p class="soft">Bars are the model's counts; lines across them are the measured values with 95% intervals.</p>
${oneWayFigures(table, quality)}
<h2>Pairs of attributes</h2>
<p class="soft">The pairs with the largest expected error come first. The model's counts are on the left, the measured ones on the right. The lightest shade is for counts below the noise; each darker one is larger by the same factor, up to the largest count: ${shadesKey}</p>
${pairFigures(table, quality)}
<p class="soft">Receipt of the ledger: <code>${escaped(receipt)}</code></p>`,
  )
}

const fromWords: { readonly [F in SyntheticTable['records']['from']]: string } = {
  public: 'their number is public',
  history: 'known from earlier releases',
  bought: 'bought with a share of the budget',
}

function facts({ cost, method, parameters, records, model, rows, neighbours, known }: SyntheticTable): string {
  const earlier = known.filter(({ law }) => law.kind !== 'none').length
  const { attributes, size, logSize } = model.universe
  const list: Fact[] = [
    [
      'ε',
      words(cost.epsilon),
      cost.rho === undefined ? neighbours : `at δ = ${cost.delta}; ρ = ${words(cost.rho)}; ${neighbours}`,
    ],
    ['method', method, earlier > 0 ? `and earlier answers: ${words(earlier)}` : ''],
    ...fitFacts(parameters),
    ['records', words(Math.round(records.count)), fromWords[records.from]],
    ['rows', words(rows[0]!.length), 'in the synthetic table'],
    ['attributes', words(attributes.length), `${cellsText(size, logSize)} cells`],
  ]
  return factsOf(list)
}

/** Of maximum entropy: how much answers count against the prior, and how near the fit is to the best one. */
function fitFacts({ alpha, gap, slope, chance }: SyntheticTable['parameters']): Fact[] {
  if (typeof alpha !== 'number' || typeof gap !== 'number') return []
  const rest =
    typeof slope === 'number' ? `; slope ${slope.toPrecision(3)}, by chance ${Number(chance).toPrecision(3)}` : ''
  return [['α', alpha.toPrecision(3), `duality gap ${gap.toPrecision(3)}${rest}`]]
}

/** A number that can be read, or the size of one that cannot. */
const cellsText = (size: bigint, logSize: number): string =>
  size < 1_000_000n ? words(Number(size)) : `10<sup>${words(Math.round((10 * logSize) / Math.LN10) / 10)}</sup>`

function budget({ steps, budget, check, free, known }: SyntheticTable): string {
  if (free)
    return `<p>Nowhere: the model was fitted to ${words(known.length)} answers that had been released before.</p>`
  const [amount, currency] = 'rho' in budget ? [budget.rho, 'ρ'] : [budget.epsilon, 'ε']
  const lines = [
    ...steps
      .slice(0, mostSteps)
      .map(({ name, count, share, deviation }) => [name, words(count), share * amount, noiseWords(deviation)] as const),
    ...(check ? [['check of the finished table', words(check.pairs.length), check.price, '–'] as const] : []),
  ]
  const most = lines.reduce((most, [, , price]) => Math.max(most, price), 0) || 1
  const line = ([name, count, price, noise]: (typeof lines)[0]) =>
    `<tr><td>${escaped(name)}</td><td class="n">${count}</td><td class="meter"><i style="width:${((100 * price) / most).toFixed(1)}%"></i></td><td class="n">${words(price)}</td><td class="n">${noise}</td></tr>`
  const rest =
    steps.length > mostSteps
      ? `<p class="soft">… and ${steps.length - mostSteps} more in the .synth.json file.</p>`
      : ''
  return `<div class="table"><table><tr><th>step<th class="n">answers<th><th class="n">${currency}<th class="n">noise, sd</tr>
${lines.map(line).join('\n')}
</table></div>${rest}`
}

const noiseWords = (deviation: readonly [number, number] | undefined): string => {
  if (!deviation) return '–'
  const [least, most] = deviation.map(words) as [string, string]
  return least === most ? least : `${least} … ${most}`
}
