import type { HistoryEntry } from '../../index.ts'
import { extent } from '../../numeric/index.ts'
import { counted, fitted, number, table } from '../format.ts'
import type { Text } from '../output.ts'
import { priceText, small } from './cost.ts'

/** A line per question, as wide as it may be: what exactly was measured is shown for one purchase at a time. */
export function historyText(entries: readonly HistoryEntry[], width: number): Text {
  // Who asked is told where anybody has a name.
  const named = entries.some(({ analyst }) => analyst !== null)
  const header = ['row', 'when', ...(named ? ['who'] : []), 'what', 'ε', 'noise scale']
  const rows = questionsOf(entries).map((purchases) => {
    const [entry, last] = [purchases[0]!, purchases.at(-1)!]
    const words = purchases.length > 1 ? entry.statement! : whatOf(entry)
    return [
      purchases.length > 1 ? `${entry.number}…${last.number}` : String(entry.number),
      entry.at.slice(0, 10),
      ...(named ? [entry.analyst ?? ''] : []),
      entry.state === 'recorded' ? words : `${entry.state}: ${words}`,
      number(purchases.reduce((sum, { cost }) => sum + cost.epsilon, 0)),
      noiseOf(purchases),
    ]
  })
  const what = header.indexOf('what')
  const said = table(
    header,
    fitted(header, rows, what, width),
    header.map((_, i) => i === 0 || i > what),
  )
  return entries.some(({ state }) => state === 'open') ? [...said, ...stillOpen] : said
}

/**
 * Purchases in a row for one statement, as averages and quantiles make them step by step, are one question. With a δ they are not
 * put together: prices in ε do not add up there.
 */
function questionsOf(entries: readonly HistoryEntry[]): HistoryEntry[][] {
  const questions: HistoryEntry[][] = []
  for (const entry of entries) {
    const before = questions.at(-1)?.[0]
    const continues =
      before !== undefined &&
      entry.statement !== null &&
      entry.cost.rho === undefined &&
      (['statement', 'analyst', 'state'] as const).every((key) => entry[key] === before[key])
    if (continues) questions.at(-1)!.push(entry)
    else questions.push([entry])
  }
  return questions
}

/** One question in words, or as it was asked; of a release how many tables it has. */
function whatOf({ statement, measurements, choices, begun, restored }: HistoryEntry): string {
  if (restored) return 'an older copy of the ledger was restored'
  if (begun) return `${counted(begun.marginals, 'query', 'queries')}, ${counted(begun.cells, 'cell')}`
  if (statement !== null && measurements.length !== 1) return statement
  if (measurements.length === 1 && !choices) return measurements[0]!.query
  const attributes = [...new Set(measurements.flatMap(({ by }) => by))]
  const cells = measurements.reduce((sum, each) => sum + each.cells, 0)
  const over = attributes.length > 2 ? '' : attributes.join(' and ')
  const tables = `${counted(measurements.length, 'table')}${over && !choices ? ` over ${over}` : ''}`
  return [tables, ...(choices ? [counted(choices.count, 'choice')] : []), counted(cells, 'cell')].join(', ')
}

function noiseOf(purchases: readonly HistoryEntry[]): string {
  const scales = purchases.flatMap(({ measurements }) => measurements.map(({ scale }) => scale))
  if (scales.length === 0) return '–'
  const [least, most] = extent(scales).map((scale) => number(Number(scale.toPrecision(3))))
  return least === most ? least! : `${least} … ${most}`
}

/** Everything about one purchase: who, when, the statement, and a line per measurement. */
export function purchaseText(entry: HistoryEntry): Text {
  const { number: row, at, analyst, state, statement, cost, measurements, choices } = entry
  const inRho = cost.rho !== undefined
  const price = (epsilon: number, rho: number | undefined) => (inRho ? small(rho ?? 0) : number(epsilon))
  const rows = measurements.map((m) => [m.query, number(m.cells), price(m.epsilon, m.rho), number(m.scale)])
  if (choices)
    rows.push([`${counted(choices.count, 'choice')} and scores`, '–', price(choices.epsilon, choices.rho), '–'])
  return [
    `row ${row} · ${at.slice(0, 19).replace('T', ' ')}${analyst === null ? '' : ` · ${analyst}`}${state === 'recorded' ? '' : ` · ${state}`}`,
    statement ?? whatOf(entry),
    ...(rows.length > 0
      ? table(['measured', 'cells', inRho ? 'ρ' : 'ε', 'noise scale'], rows, [false, true, true, true])
      : []),
    `cost ${priceText(cost)}`,
  ]
}

const stillOpen = [
  'open: still running, or interrupted before it was recorded.',
  'The ε of an interrupted release stays spent.',
]
