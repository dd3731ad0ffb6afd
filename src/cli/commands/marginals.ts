import {
  type Dataset,
  type Folder,
  type Format,
  type MarginalsOptions,
  type MarginalsPlan,
  type MarginalsRelease,
  open,
  openFolder,
  publish,
  ReticentError,
  type Summary,
} from '../../index.ts'
import { number, table } from '../format.ts'
import type { Output } from '../output.ts'
import type { GlobalOptions } from '../program.ts'
import { progressBar } from '../progress.ts'

export interface MarginalsFlags extends GlobalOptions {
  ways?: string
  of?: string
  with?: string
  epsilon?: string
  free: boolean
  method: string
  floor: string
  firstShare?: string
  countShare: string
  records?: string
  raw: boolean
  plan: boolean
  format: string
  as?: string
  out?: string
}

export async function marginals(flags: MarginalsFlags, out: Output, signal?: AbortSignal): Promise<void> {
  const options = { ...optionsOf(flags), signal }
  const format = formatOf(flags.format)
  const data = await open(flags.policy)
  try {
    if (flags.plan) {
      const plan = await data.planMarginals(options)
      await out.result(plan, planText(plan))
    } else {
      const { summary, release, folder } = await released(data, options, format, flags)
      const { cost, raised, spent, left } = release
      await out.result({ ...summary, out: folder.path, cost, raised, spent, left }, releaseText(release))
      await out.note(closing(release, folder))
    }
  } finally {
    await data.close()
  }
}

/** The options as the library takes them: its own, and those that were given. */
function optionsOf(flags: MarginalsFlags): MarginalsOptions {
  const { policy: _, json: __, plan: ___, format: ____, out: _____, ways, method, records, ...rest } = flags
  if (records !== undefined && !flags.plan) throw usage('--records goes with --plan: a release finds out by itself')
  return {
    ...rest,
    method: method as NonNullable<MarginalsOptions['method']>,
    ...(ways !== undefined && { ways: Number(ways) }),
    ...(records !== undefined && { records }),
  }
}

function formatOf(text: string): Format {
  if (text === 'csv' || text === 'parquet') return text
  throw usage(`--format is csv or parquet, not ${JSON.stringify(text)}`)
}

/** Buys and writes. The folder is tried before anything is spent; what was paid for is in the history whatever happens after. */
async function released(
  data: Dataset,
  options: MarginalsOptions,
  format: Format,
  flags: MarginalsFlags,
): Promise<{ summary: Summary; release: MarginalsRelease; folder: Folder }> {
  if (flags.out === undefined) throw usage('say where the tables go: --out DIR', 'Or ask for a --plan first.')
  const folder = await openFolder(flags.out)
  const bar = progressBar(process.stderr)
  try {
    const release = await data.releaseMarginals({ ...options, progress: bar.at })
    bar.end()
    const summary = await publish(release, { folder, format, signal: options.signal }).catch(() => {
      throw unwritten(release, folder, flags, options.signal?.aborted === true)
    })
    return { summary, release, folder }
  } catch (error) {
    bar.end()
    await folder.discard()
    throw error
  }
}

/** Why there is no folder: it could not be written, or somebody wanted the process to end. What was paid for is not lost. */
function unwritten({ cost, receipt }: MarginalsRelease, { path }: Folder, flags: MarginalsFlags, isStopped: boolean) {
  const { ways, of, with: attribute, free, as } = flags
  const which = of === undefined ? [attribute && `--with ${attribute}`, ways && `--ways ${ways}`] : [`--of "${of}"`]
  const who = as === undefined ? [] : [`--as ${as}`]
  const again = ['reticent release marginals', ...which.filter(Boolean), '--free', ...who, '--out DIR'].join(' ')
  return new ReticentError(
    isStopped ? 'interrupted' : 'output-unwritable',
    { path, paid: cost.epsilon, receipt },
    {
      message: isStopped ? 'the release was interrupted' : `the tables could not be written to ${path}`,
      ...(free
        ? {}
        : { detail: `ε = ${cost.epsilon} is spent, and the tables are in the history; receipt ${receipt}.` }),
      hint: `Write them at no cost: ${again}`,
    },
  )
}

function planText(plan: MarginalsPlan): Iterable<string> {
  const { method, records, floor, expected, guess, cost, raised, affordable, left, warnings } = plan
  const rows = plan.marginals.map(({ attributes, cells, scale, epsilon, error }) => [
    attributes.join(' × '),
    number(cells),
    short(scale),
    short(epsilon),
    short(error),
  ])
  const header = ['marginal', 'cells', 'noise scale', 'ε', 'error']
  const count = records.count === null ? '' : ` · ${number(Math.round(records.count))} records`
  const zeros = expected.zeros === undefined ? '' : `, of tables of zeros ${short(expected.zeros)}`
  return [
    ...table(
      header,
      [...recordsRow(records, header.length), ...rows],
      header.map((_, i) => i > 0),
    ),
    `${method}${count} · floor ${short(floor)}`,
    `expected overall error of the measured values ${short(expected.measured)}${zeros}; ${guesses[guess]}`,
    `cost ε ${number(cost.epsilon)}, raises what is spent by ${number(raised.epsilon)}; the budget ${affordable ? 'allows' : 'does not allow'} it (left${forMarginals(left)}: ${number(left.epsilon)})`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
}

/** What the number of records is bought with is a part of ε too. */
function recordsRow({ epsilon, scale }: MarginalsPlan['records'], columns: number): string[][] {
  if (epsilon === undefined) return []
  const row = ['the number of records', '1', short(scale!), short(epsilon)]
  return [[...row, ...Array<string>(columns - row.length).fill('–')]]
}

const guesses: { readonly [G in MarginalsPlan['guess']]: string } = {
  history: 'guessed from what has been released before',
  uniform: 'as if all cells were equal, since nothing is known: real tables come out worse',
  both: 'guessed from what has been released before, and as if all cells were equal where nothing is known',
  worst: 'at worst, if no cell is above the floor; say about how many records there are (--records) for a better guess',
}

function releaseText({
  method,
  tables,
  total,
  records,
  floor,
  expected,
  raw,
  warnings,
}: MarginalsRelease): Iterable<string> {
  const rows = tables.map(({ attributes, counts, measured, expected }) => [
    attributes.map(({ name }) => name).join(' × '),
    number(counts.length),
    measured ? short(measured.scale) : '–',
    measured ? short(measured.epsilon) : '–',
    expected.measured === undefined ? '–' : short(expected.measured),
    short(expected.counts),
  ])
  const header = ['marginal', 'cells', 'noise scale', 'ε', 'error, measured', 'error, counts']
  const measured = expected.measured === undefined ? '' : `of the measured values ${short(expected.measured)}, `
  const count = Math.round(records.count)
  const reckoned =
    raw || count === total
      ? `${number(count)} records`
      : `tables add up to ${number(total)} records, and ${number(count)} were reckoned with`
  return [
    ...table(
      header,
      [...recordsRow(records, header.length), ...rows],
      header.map((_, i) => i > 0),
    ),
    `${method ?? 'nothing bought'} · ${reckoned} · floor ${short(floor)}`,
    `expected overall error ${measured}of the counts ${short(expected.counts)}${raw ? ' (not published)' : ''}, of tables of zeros ${short(expected.zeros)}; by bootstrap from the released values`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
}

const closing = ({ cost, spent, left, receipt, tables }: MarginalsRelease, { path }: Folder): string =>
  [
    `cost ε ${number(cost.epsilon)} · spent ${number(spent.epsilon)} · left${forMarginals(left)} ${number(left.epsilon)}`,
    `receipt ${receipt}`,
    `${tables.length === 1 ? 'one table' : `${tables.length} tables`}, release.json and report.html are in ${path}`,
  ].join('\n')

/** With δ questions have another ε left than marginals do. */
const forMarginals = ({ rho }: MarginalsPlan['left']): string => (rho === undefined ? '' : ' for marginals')

/** Three digits are enough here. */
const short = (value: number): string =>
  number(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3)))
const usage = (message: string, hint?: string) => new ReticentError('usage', {}, { message, hint })
