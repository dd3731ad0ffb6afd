import type { Folder, MarginalsPlan, MarginalsRelease } from '../../index.ts'
import { number, shortReceipt, table } from '../format.ts'
import { priceText } from './cost.ts'

/** What a plan says: a row per table, then the whole. */
export function planText(plan: MarginalsPlan): Iterable<string> {
  const { method, noise, records, floor, expected, guess, cost, raised, affordable, left, warnings } = plan
  const price = priceIn(noise)
  const rows = plan.marginals.map(({ attributes, cells, scale, error, ...cost }) => [
    attributes.join(' × '),
    number(cells),
    short(scale),
    short(price.of(cost)),
    short(error),
  ])
  const header = ['marginal', 'cells', price.scale, price.unit, 'error']
  const count = records.count === null ? '' : ` · ${number(Math.round(records.count))} records`
  const zeros = expected.zeros === undefined ? '' : `, of tables of zeros ${short(expected.zeros)}`
  return [
    ...table(
      header,
      [...recordsRow(records, price, header.length), ...rows],
      header.map((_, i) => i > 0),
    ),
    `${method}${count} · floor ${short(floor)}`,
    `expected overall error of the measured values ${short(expected.measured)}${zeros}; ${guesses[guess]}`,
    `cost ${priceText(cost)}, raises the total by ${number(raised.epsilon)}; the budget ${affordable ? 'allows' : 'does not allow'} it (left${forLaplace(plan)}: ${number(left.epsilon)})`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
}

/** How a table's price and noise are told: of Gaussian noise people know σ, and prices add up in ρ. */
interface PriceIn {
  readonly unit: 'ε' | 'ρ'
  readonly scale: string
  readonly of: (cost: { readonly epsilon: number; readonly rho?: number }) => number
}
const priceIn = (noise: MarginalsRelease['noise']): PriceIn =>
  noise === 'gaussian'
    ? { unit: 'ρ', scale: 'noise, σ', of: ({ rho = 0 }) => rho }
    : { unit: 'ε', scale: 'noise scale', of: ({ epsilon }) => epsilon }

/** The number of records has a price too, where it is bought. */
function recordsRow({ epsilon, rho, scale }: MarginalsPlan['records'], price: PriceIn, columns: number): string[][] {
  if (epsilon === undefined) return []
  const row = ['the number of records', '1', short(scale!), short(price.of({ epsilon, rho }))]
  return [[...row, ...Array<string>(columns - row.length).fill('–')]]
}

const guesses: { readonly [G in MarginalsPlan['guess']]: string } = {
  history: 'guessed from earlier releases',
  uniform: 'assuming that all cells are equal, since nothing is known yet: real tables will have larger errors',
  both: 'guessed from earlier releases and, where those say nothing, assuming that all cells are equal',
  worst:
    'the worst case: no cell is above the floor; say about how many records there are (--records) for a better guess',
}

/** What a release says: a row per table, then the whole. */
export function releaseText(release: MarginalsRelease): Iterable<string> {
  const { method, noise, tables, total, records, floor, expected, raw, warnings } = release
  const price = priceIn(noise)
  const rows = tables.map(({ attributes, counts, measured, expected }) => [
    attributes.map(({ name }) => name).join(' × '),
    number(counts.length),
    measured ? short(measured.scale) : '–',
    measured ? short(price.of(measured)) : '–',
    expected.measured === undefined ? '–' : short(expected.measured),
    short(expected.counts),
  ])
  const header = ['marginal', 'cells', price.scale, price.unit, 'error, measured', 'error, counts']
  const measured = expected.measured === undefined ? '' : `of the measured values ${short(expected.measured)}, `
  const count = Math.round(records.count)
  const counted =
    raw || count === total
      ? `${number(count)} records`
      : `tables add up to ${number(total)} records; ${noise === 'gaussian' ? 'the floor was' : 'scales were'} computed from ${number(count)}`
  return [
    ...table(
      header,
      [...recordsRow(records, price, header.length), ...rows],
      header.map((_, i) => i > 0),
    ),
    `${method ?? 'nothing bought'} · ${counted} · floor ${short(floor)}`,
    `expected overall error ${measured}of the counts ${short(expected.counts)}${raw ? ' (not published)' : ''}, of tables of zeros ${short(expected.zeros)}${expected.median === undefined || tables.length === 1 ? '' : `; half of the tables have at most ${short(expected.median)}`}; by bootstrap from the released values`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
}

/** What a release cost, and where it is. */
export const costText = (release: MarginalsRelease, { path }: Folder): string => {
  const { cost, spent, left, receipt, tables } = release
  return [
    `cost ${priceText(cost)} · spent ${number(spent.epsilon)} · left${forLaplace(release)} ${number(left.epsilon)}`,
    shortReceipt(receipt),
    `${tables.length === 1 ? 'one table' : `${tables.length} tables`}, release.json and report.html are in ${path}`,
  ].join('\n')
}

/** With δ Laplace noise has another ε left than Gaussian noise. */
const forLaplace = ({ left, method, noise }: Pick<MarginalsRelease, 'left' | 'method' | 'noise'>): string =>
  left.rho === undefined || method === null || noise === 'gaussian' ? '' : ` for ${method}`

/** Three digits are enough here. */
const short = (value: number): string =>
  number(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3)))
