import type { Answer, ColumnAnswer, Estimate } from '../../index.ts'
import { interval, keyText, number, percent, rowsOf, table } from '../format.ts'
import type { Text } from '../output.ts'
import { picture } from '../picture.ts'

/**
 * The answer as a person reads it; `claim` is what its probabilities are of. If a table would be wider than `width`,
 * half-widths replace intervals.
 */
export function answerText(answer: Answer, claim?: string, width = Infinity): Text {
  const columns = 'answers' in answer ? answer.answers : [answer]
  const sure = percent(answer.confidence)
  const title = answer.always
    ? `${sure} sure always`
    : answer.simultaneous
      ? `all at once, ${sure} sure`
      : `${sure} sure`
  if (columns.some((c) => 'groups' in c)) {
    const wide = groupsText(columns, answer.keys ?? [], { title, claim, numbersOf })
    if (columns.length === 1 || widthOf(wide) <= width) return wide
    const sides = answer.simultaneous ? `all ${sure} within` : `${sure} within`
    return groupsText(columns, answer.keys ?? [], { title: sides, claim, numbersOf: halfWidths })
  }
  if (columns.length > 1) {
    const rows = columns.map((c) => ('groups' in c ? [] : [c.name, ...numbersOf(c, decimalsOf([c]))]))
    return table(['', 'estimate', ...headerOf(columns, title, claim)], rows, [false, true, true, true])
  }
  const [only] = columns
  if ('groups' in only!) return ''
  const odds = only!.probability === undefined ? '' : `\n${claim}: ${oddsOf(only!)}`
  const shape = only!.density ? `\n${picture(only!.density, only!.interval)}` : ''
  const [estimate, ends] = numbersOf(only!, decimalsOf([only!]))
  return `${estimate}   (${answer.always ? title : `${sure} sure`}: ${ends}${alone(only!)})${shape}${odds}`
}

/** How the numbers of a group are printed, and under which titles. */
interface Wording {
  readonly title: string
  readonly claim: string | undefined
  readonly numbersOf: (estimate: Estimate, decimals: number) => string[]
}

function groupsText(columns: readonly ColumnAnswer[], keys: readonly string[], words: Wording): Iterable<string> {
  const { title, claim, numbersOf } = words
  const groups = columns.map((c) => ('groups' in c ? c.groups : []))
  const decimals = groups.map(decimalsOf)
  const header = [...keys, ...columns.flatMap((c, i) => [c.name, ...headerOf(groups[i]!, title, claim)])]
  const rows = rowsOf(function* () {
    for (const [i, { key, all }] of groups[0]!.entries())
      yield [
        ...keys.map((k) => (all?.includes(k) ? '(all)' : keyText(key[k] ?? null))),
        ...groups.flatMap((g, column) => numbersOf(g[i]!, decimals[column]!)),
      ]
  })
  const right = header.map((_, i) => i >= keys.length)
  return rowsOf(() => table(header, rows, right))
}

/** The second line of a table rules off its header, and is as long as the longest. */
function widthOf(lines: Iterable<string>): number {
  const [, rule] = lines
  return rule!.length
}

/** All numbers of a column get as many digits as are meaningful for the narrowest interval; none for whole numbers. */
function decimalsOf(column: readonly Estimate[]): number {
  const numbers = column.flatMap(({ estimate, interval }) => [estimate, ...interval]).filter((x) => x !== null)
  const isWhole = (x: number) => Math.abs(x - Math.round(x)) < 1e-9 * Math.max(1, Math.abs(x))
  if (numbers.every(isWhole)) return 0
  // A group that must be empty is exact, and says nothing about the others.
  const widths = column.map(({ estimate, within }) => (within === 0 && isWhole(estimate ?? 0) ? null : within))
  const narrowest = widths.reduce<number>((least, within) => Math.min(least, within ?? Infinity), Infinity)
  if (narrowest >= 100) return 0
  const meant = Math.min(6, Math.max(1, 2 - Math.floor(Math.log10(narrowest))))
  // Numbers that were rounded have no more.
  for (let digits = 1; digits < meant; digits++) if (numbers.every((x) => isWhole(x * 10 ** digits))) return digits
  return meant
}

/** Never rounded to 0% or 100%. */
function likely(probability: number): string {
  if (probability > 0 && probability < 0.0001) return '<0.01%'
  if (probability > 0.9999 && probability < 1) return '>99.99%'
  return percent(Number(probability.toFixed(4)))
}

/** How much wider an interval is because it always holds. */
const alone = ({ withinAlone }: Estimate): string =>
  withinAlone == null
    ? ''
    : `; ±${number(withinAlone, decimalsOf([{ estimate: 0, interval: [0, withinAlone], within: withinAlone }]))} for this answer alone`

/** The probability, its error bound, and what it is conditional on. */
const oddsOf = ({ probability, probabilityGiven, probabilityWithin }: Estimate): string => {
  const near = probabilityWithin === undefined ? '' : ` ± ${percent(Number(probabilityWithin.toPrecision(1)))}`
  return `${likely(probability!)}${near} likely${probabilityGiven === 'estimate' ? ', given the estimate alone' : ''}`
}

/** A number in a table: its estimate, its interval, and how likely the claim is where one was made. */
const numbersOf = (of: Estimate, decimals: number): string[] => [
  toldOf(of, decimals),
  of.dates ? of.dates.interval.join(' … ') : interval(of.interval, decimals),
  ...(of.probability === undefined ? [] : [likely(of.probability)]),
  ...(of.probabilityFirst === undefined ? [] : [likely(Number(of.probabilityFirst.toFixed(3)))]),
]
/** NULL is the mean of no records. Without a bound, as for a share of few records, the number would only mislead. */
function toldOf({ estimate, interval: ends, within, dates }: Estimate, decimals: number): string {
  if (estimate === null) return ends.includes(null) ? 'NULL' : 'unknown'
  if (within === null) return 'unknown'
  return dates?.estimate ?? number(estimate, decimals)
}
/** The same with the half-width in the place of the interval. */
const halfWidths = (of: Estimate, decimals: number): string[] => {
  const [estimate, , ...odds] = numbersOf(of, decimals)
  return [estimate!, of.within === null ? '' : `±${number(of.within, decimals)}`, ...odds]
}
const headerOf = (of: readonly object[], title: string, claim: string | undefined): string[] => [
  title,
  ...(claim !== undefined && of.some((e) => 'probability' in e) ? [claim] : []),
  ...(of.some((e) => 'probabilityFirst' in e) ? ['likely first'] : []),
]
