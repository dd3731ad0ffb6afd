import { type Answer, type ColumnAnswer, type Estimate, type MadeOf, open, type Plan } from '../../index.ts'
import { interval, number, percent, rowsOf, shortReceipt, table } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output, Text } from '../output.ts'
import { picture } from '../picture.ts'

interface AskFlags extends GlobalOptions {
  within?: string
  relative?: string
  floor?: string
  maxEpsilon?: string
  epsilon?: string
  free: boolean
  confidence: string
  allWithin: boolean
  probability?: string
  explain: boolean
  plan: boolean
  as?: string
}

/**
 * A question in SQL, answered with noise. What it costs is charged before the data are read; earlier answers are used first.
 * The answer goes to stdout, its cost and receipt to stderr, so that `> file` holds the answer alone.
 *
 *     reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --within 150
 *     18,578   (95% sure: 18,428 … 18,728)
 *     fresh · cost ε 0.019905 · spent 0.019905 · left 0.980095
 */
export async function ask(sql: string, flags: AskFlags, out: Output, signal?: AbortSignal): Promise<void> {
  // A picture is for people who look: not for programs, and not for what a pipe or a file takes.
  const density = process.stdout.isTTY && !out.json ? 50 : undefined
  const { policy, json: _, plan: isPlan, ...asked } = flags
  const options = { ...asked, confidence: Number(flags.confidence), density, signal }
  const data = await open(policy)
  try {
    if (isPlan) {
      const plan = await data.plan(sql, options)
      await out.result(plan, planText(plan))
    } else {
      const answer = await data.ask(sql, options)
      await out.result(answer, answerText(answer, flags.probability))
      if (answer.madeOf) await out.note(madeOfText(answer.madeOf))
      await out.note(costText(answer))
    }
  } finally {
    await data.close()
  }
}

/** The answer as a person reads it; `claim` is what its probabilities are of. */
export function answerText(answer: Answer, claim?: string): Text {
  const columns = 'answers' in answer ? answer.answers : [answer]
  const sure = percent(answer.confidence)
  const title = answer.simultaneous ? `all ${sure} sure at once` : `${sure} sure`
  if (columns.some((c) => 'groups' in c)) return groupsText(columns, answer.keys ?? [], title, claim)
  if (columns.length > 1) {
    const rows = columns.map((c) => ('groups' in c ? [] : [c.name, ...numbersOf(c, decimalsOf([c]))]))
    return table(['', 'estimate', ...headerOf(columns, title, claim)], rows, [false, true, true, true])
  }
  const [only] = columns
  if ('groups' in only!) return ''
  const odds = only!.probability === undefined ? '' : `\n${claim}: ${likely(only!.probability)} likely`
  const shape = only!.density ? `\n${picture(only!.density, only!.interval)}` : ''
  const [estimate, ends] = numbersOf(only!, decimalsOf([only!]))
  return `${estimate}   (${sure} sure: ${ends})${shape}${odds}`
}

function groupsText(
  columns: readonly ColumnAnswer[],
  keys: readonly string[],
  title: string,
  claim: string | undefined,
): Iterable<string> {
  const groups = columns.map((c) => ('groups' in c ? c.groups : []))
  const decimals = groups.map(decimalsOf)
  const header = [...keys, ...columns.flatMap((c, i) => [c.name, ...headerOf(groups[i]!, title, claim)])]
  const rows = rowsOf(function* () {
    for (const [i, { key }] of groups[0]!.entries())
      yield [
        ...keys.map((k) => String(key[k] ?? 'NULL')),
        ...groups.flatMap((g, column) => numbersOf(g[i]!, decimals[column]!)),
      ]
  })
  return table(
    header,
    rows,
    header.map((_, i) => i >= keys.length),
  )
}

/** As many digits for all numbers of a column as the narrowest interval gives a meaning to; none for whole numbers. */
function decimalsOf(column: readonly Estimate[]): number {
  const isWhole = (x: number | null) => x === null || Math.abs(x - Math.round(x)) < 1e-9 * Math.max(1, Math.abs(x))
  if (column.every(({ estimate, interval }) => isWhole(estimate) && interval.every(isWhole))) return 0
  const narrowest = column.reduce((least, { within }) => Math.min(least, within || Infinity), Infinity)
  if (narrowest >= 100) return 0
  return Math.min(6, Math.max(1, 2 - Math.floor(Math.log10(narrowest))))
}

/** Never rounded to what is certain. */
function likely(probability: number): string {
  if (probability > 0 && probability < 0.0001) return '<0.01%'
  if (probability > 0.9999 && probability < 1) return '>99.99%'
  return percent(Number(probability.toFixed(4)))
}

/** A number in a table: its estimate, its interval, and how likely the claim is where one was made. */
const numbersOf = ({ estimate, interval: ends, probability }: Estimate, decimals: number): string[] => [
  // SQL's NULL is the mean of nothing.
  estimate === null ? 'NULL' : number(estimate, decimals),
  interval(ends, decimals),
  ...(probability === undefined ? [] : [likely(probability)]),
]
const headerOf = (of: readonly object[], title: string, claim: string | undefined): string[] => [
  title,
  ...(claim !== undefined && of.some((e) => 'probability' in e) ? [claim] : []),
]

/** The measurements that the answer was made of. */
function madeOfText(madeOf: readonly MadeOf[]): Iterable<string> {
  const several = new Set(madeOf.map(({ part }) => part)).size > 1
  const rows = madeOf.map(({ part, measurement, purchase, weight, share }) => [
    ...(several ? [part] : []),
    `${measurement} (purchase ${purchase})`,
    number(Number(weight.toPrecision(4))),
    percent(Number(share.toPrecision(4))),
  ])
  const header = [...(several ? ['part'] : []), 'made of', 'weight', 'of the variance']
  return table(
    header,
    rows,
    header.map((_, i) => i >= header.length - 2),
  )
}

/** What it cost, part by part where there are several. */
export function costText({ kind, cost, spent, left, parts, receipt, notConsulted }: Answer): string {
  const each = parts.length > 1 ? parts.map((p) => `  ε ${number(p.epsilon)} for ${p.description}`) : []
  return [
    `${kind} · cost ε ${number(cost.epsilon)} · spent ${number(spent.epsilon)} · left ${number(left.epsilon)}`,
    ...each,
    ...(notConsulted ? ['earlier answers were not used: this has too many groups to combine with them'] : []),
    shortReceipt(receipt),
  ].join('\n')
}

function planText({ kind, cost, least, raised, left, affordable, parts, confidence }: Plan): Text {
  if (kind === 'free') return 'earlier answers are precise enough: this would cost nothing'
  const rows = parts.map((p) => [p.description, number(p.epsilon), number(p.scale), `±${number(p.within)}`])
  const range =
    least === undefined || least.epsilon === cost.epsilon
      ? number(cost.epsilon)
      : `${number(least.epsilon)} … ${number(cost.epsilon)}`
  const verdict = affordable
    ? `the budget allows it (left: ${number(left.epsilon)})`
    : `the budget does not allow it (left: ${number(left.epsilon)})`
  return [
    ...table(['to buy', 'ε', 'noise scale', `${percent(confidence)} within`], rows, [false, true, true, true]),
    `${kind}: cost ε ${range}, raises the total by ${number(raised.epsilon)}; ${verdict}`,
  ]
}
