import { type HistoryEntry, open } from '../../index.ts'
import { number, table } from '../format.ts'
import type { Output } from '../output.ts'
import type { GlobalOptions } from '../program.ts'

export async function history(flags: GlobalOptions, out: Output): Promise<void> {
  const data = await open(flags.policy)
  try {
    const entries = await data.history()
    out.result({ releases: entries }, entries.length > 0 ? historyText(entries) : 'nothing has been asked yet')
  } finally {
    await data.close()
  }
}

function historyText(entries: readonly HistoryEntry[]): string {
  const rows = entries.flatMap((e) =>
    e.measurements.map((m, i) => [
      i === 0 ? String(e.number) : '',
      i === 0 ? e.at.slice(0, 16).replace('T', ' ') : '',
      i === 0 ? (e.analyst ?? '') : '',
      m.query,
      number(m.cells),
      number(m.epsilon),
      number(m.scale),
      e.state === 'recorded' ? '' : e.state,
    ]),
  )
  return table(['row', 'when', 'who', 'what', 'cells', 'ε', 'noise scale', ''], rows, [
    true,
    false,
    false,
    false,
    true,
    true,
    true,
  ])
}
