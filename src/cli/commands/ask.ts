import { type Answer, type ColumnAnswer, open, type Plan } from '../../index.ts'
import { interval, number, percent, table } from '../format.ts'
import type { Output } from '../output.ts'
import type { GlobalOptions } from '../program.ts'

export interface AskFlags extends GlobalOptions {
  within?: string
  epsilon?: string
  free: boolean
  confidence: string
  plan: boolean
  as?: string
}

export async function ask(sql: string, flags: AskFlags, out: Output): Promise<void> {
  const { within, epsilon, free, as } = flags
  const options = { within, epsilon, free, as, confidence: Number(flags.confidence) }
  const data = await open(flags.policy)
  try {
    if (flags.plan) {
      const plan = await data.plan(sql, options)
      out.result(plan, planText(plan))
    } else {
      const answer = await data.ask(sql, options)
      out.result(answer, answerText(answer))
      out.note(costText(answer))
    }
  } finally {
    await data.close()
  }
}

/** The answer as a person reads it. */
export function answerText(answer: Answer): string {
  const columns = 'answers' in answer ? answer.answers : [answer]
  const sure = percent(answer.confidence)
  if (columns.some((c) => 'groups' in c)) return groupsText(columns, sure)
  if (columns.length > 1) {
    const rows = columns.map((c) => ('groups' in c ? [] : [c.name, number(c.estimate), interval(c.interval)]))
    return table(['', 'estimate', `${sure} interval`], rows, [false, true, true])
  }
  const [only] = columns
  return 'groups' in only! ? '' : `${number(only!.estimate)}   (${sure} sure: ${interval(only!.interval)})`
}

function groupsText(columns: readonly ColumnAnswer[], sure: string): string {
  const groups = columns.map((c) => ('groups' in c ? c.groups : []))
  const keys = Object.keys(groups[0]![0]?.key ?? {})
  const header = [...keys, ...columns.flatMap((c) => [c.name, `${sure} interval`])]
  const rows = groups[0]!.map((first, i) => [
    ...keys.map((k) => String(first.key[k] ?? 'NULL')),
    ...groups.flatMap((g) => [number(g[i]!.estimate), interval(g[i]!.interval)]),
  ])
  return table(
    header,
    rows,
    header.map((_, i) => i >= keys.length),
  )
}

/** What it cost, part by part where there are several. */
export function costText({ kind, cost, spent, left, parts, receipt }: Answer): string {
  const each = parts.length > 1 ? parts.map((p) => `  ε ${number(p.epsilon)} for ${p.description}`) : []
  return [
    `${kind} · cost ε ${number(cost.epsilon)} · spent ${number(spent.epsilon)} · left ${number(left.epsilon)}`,
    ...each,
    `receipt ${receipt}`,
  ].join('\n')
}

function planText({ kind, cost, raised, left, affordable, parts, confidence }: Plan): string {
  if (kind === 'free') return 'what has been released already is precise enough: it would cost nothing'
  const rows = parts.map((p) => [p.description, number(p.epsilon), number(p.scale), `±${number(p.within)}`])
  const verdict = affordable
    ? `the budget allows it (left: ${number(left.epsilon)})`
    : `the budget does not allow it (left: ${number(left.epsilon)})`
  return `${table(['to buy', 'ε', 'noise scale', `${percent(confidence)} within`], rows, [false, true, true, true])}
${kind}: cost ε ${number(cost.epsilon)}, raises what is spent by ${number(raised.epsilon)}; ${verdict}`
}
