import { type ColumnAnswer, type Estimate, type HistoryEntry, type Improvement, open } from '../../index.ts'
import { counted, number, table } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'

interface HistoryFlags extends GlobalOptions {
  improve: boolean
}

/**
 * Everything that was ever bought, and by whom; with --improve, what each purchase said then beside what the whole history says
 * about it now. Both are free: the data are not opened.
 *
 *     reticent history --improve
 */
export async function history(flags: HistoryFlags, out: Output): Promise<void> {
  const data = await open(flags.policy)
  try {
    if (flags.improve) {
      const improved = await data.improve()
      await out.result({ improved }, improved.length > 0 ? improvedText(improved) : 'nobody has asked anything yet')
      return
    }
    const entries = await data.history()
    await out.result({ releases: entries }, entries.length > 0 ? historyText(entries) : 'nobody has asked anything yet')
  } finally {
    await data.close()
  }
}

function historyText(entries: readonly HistoryEntry[]): Iterable<string> {
  const rows = entries.flatMap((e) =>
    linesOf(e).map((line, i) => [
      i === 0 ? String(e.number) : '',
      i === 0 ? e.at.slice(0, 16).replace('T', ' ') : '',
      i === 0 ? (e.analyst ?? '') : '',
      ...line,
      e.state === 'recorded' ? '' : e.state,
    ]),
  )
  const said = table(['row', 'when', 'who', 'what', 'cells', 'ε', 'noise scale', ''], rows, [
    true,
    false,
    false,
    false,
    true,
    true,
    true,
  ])
  return entries.some(({ state }) => state === 'open') ? [...said, stillOpen] : said
}

/** What it is, its cells, its ε, its noise: a line per measurement, or one for a release that has none yet. */
function linesOf({ measurements, choices, begun, restored }: HistoryEntry): string[][] {
  if (restored) return [['an older copy of the ledger was restored', '–', number(restored.epsilon), '–']]
  if (begun) return [[counted(begun.marginals, 'marginal'), number(begun.cells), number(begun.epsilon), '–']]
  return [
    ...(choices ? [[`${number(choices.count)} choices and scores`, '–', number(choices.epsilon), '–']] : []),
    ...measurements.map(({ query, cells, epsilon, scale }) => [query, number(cells), number(epsilon), number(scale)]),
  ]
}

const stillOpen =
  'open: still running, or interrupted before it was recorded. The ε of an interrupted release stays spent.'

/** A line per column of a statement. */
function improvedText(all: readonly Improvement[]): Iterable<string> {
  const rows = all.flatMap(({ number: row, statement, before, now }) =>
    now.map((column, i) => [
      i === 0 ? String(row) : '',
      i === 0 ? statement : column.name,
      toldText(before[i]!),
      toldText(column),
    ]),
  )
  return table(['row', 'what', 'before, 95% sure', 'now, 95% sure'], rows, [true, false, true, true])
}

/** A number and its half-width; of groups their number and the middle one's. */
function toldText(column: ColumnAnswer): string {
  if (!('groups' in column)) return `${short(column.estimate)} ±${short(column.within)}`
  const widths = column.groups.map(({ within }: Estimate) => within ?? Infinity).sort((a, b) => a - b)
  return `${number(widths.length)} groups ±${short(widths[Math.floor(widths.length / 2)] ?? null)}`
}
const short = (value: number | null): string => (value === null ? 'NULL' : number(Number(value.toPrecision(6))))
