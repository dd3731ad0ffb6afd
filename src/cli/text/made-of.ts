import type { MadeOf } from '../../index.ts'
import { counted, fitted, number, percent, shortened, table } from '../format.ts'

/** More would hide those that matter. */
const most = 10

/**
 * The measurements that an answer was made of. Of each part the ten that bring most of its variance, and what the others bring
 * together; all of them are in --json.
 */
export function* madeOfText(madeOf: readonly MadeOf[], width: number): Iterable<string> {
  const parts = [...new Set(madeOf.map(({ part }) => part))]
  for (const part of parts) {
    if (parts.length > 1) yield shortened(part, width)
    yield* partText(
      madeOf.filter((each) => each.part === part).sort((a, b) => b.share - a.share),
      width,
    )
  }
}

function partText(sources: readonly MadeOf[], width: number): Iterable<string> {
  const [shown, rest] = [sources.slice(0, most), sources.slice(most)]
  const rows = shown.map(({ measurement, purchase, weight, share }) => [
    measurement,
    String(purchase),
    number(Number(weight.toPrecision(4))),
    percent(Number((100 * share).toPrecision(3)) / 100),
  ])
  const share = rest.reduce((sum, each) => sum + each.share, 0)
  if (rest.length > 0)
    rows.push([
      `${counted(rest.length, 'other')}, all in --json`,
      '',
      '',
      percent(Number((100 * share).toPrecision(3)) / 100),
    ])
  const header = ['made of', 'row', 'weight', 'of the variance']
  return table(header, fitted(header, rows, 0, width), [false, true, true, true])
}
