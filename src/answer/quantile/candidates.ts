import type { Indicator, LinearQuery } from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Family } from './family.ts'
import type { Span } from './kept.ts'

/** The history is asked at this many cuts at once; if there are more, at evenly spaced ones first. */
const mostAtOnce = 128
const evenly = 48

/** Cuts between codes that some measurement distinguishes, so that the history may say something there; ascending. */
export class Candidates {
  readonly #cuts: readonly number[] | 'all'
  readonly #family: Family

  constructor(family: Family, cuts: readonly number[] | 'all') {
    this.#family = family
    this.#cuts = cuts
  }

  /** How many levels it takes from all candidates to single ones. */
  get levels(): number {
    const { from, to } = this.#family
    const all = this.#cuts === 'all' ? to - from : this.#cuts.length
    return all <= mostAtOnce ? 1 : 1 + Math.ceil(Math.log(all / mostAtOnce) / Math.log(evenly / 4))
  }

  /** Those inside the spans: all, or evenly spaced ones if there are many. */
  within(spans: readonly Span[]): number[] {
    const merged = united(spans)
    const isInside = (cut: number) => merged.some(({ after, upTo }) => cut > after && cut < upTo)
    if (this.#cuts !== 'all') {
      const inside = this.#cuts.filter(isInside)
      if (inside.length <= mostAtOnce) return inside
      const every = inside.length / evenly
      return [...new Set(Array.from({ length: evenly }, (_, i) => inside[Math.floor((i + 0.5) * every)]!))]
    }
    const size = merged.reduce((sum, { after, upTo }) => sum + upTo - after - 1, 0)
    const step = size <= mostAtOnce ? 1 : Math.ceil(size / evenly)
    return merged.flatMap(({ after, upTo }) => cutsBetween(after, upTo, step))
  }
}

/** after + step, after + 2·step, … below upTo. */
export const cutsBetween = (after: number, upTo: number, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((upTo - after) / step) - 1) }, (_, i) => after + (i + 1) * step)

/** Spans that overlap or touch as one, ascending. */
export function united(spans: readonly Span[]): Span[] {
  const out: Span[] = []
  for (const span of spans.toSorted((a, b) => a.after - b.after)) {
    const last = out.at(-1)
    if (last && span.after <= last.upTo) out[out.length - 1] = { ...last, upTo: Math.max(last.upTo, span.upTo) }
    else out.push(span)
  }
  return out
}

/** The cuts between codes that any measurement distinguishes. */
export function edgesIn(
  { releases }: Pick<Book, 'releases'>,
  { attribute, from, to }: Family,
): readonly number[] | 'all' {
  const measurements = releases.flatMap((release) => release.measurements)
  const cuts = new Set<number>()
  const seen = new Set<LinearQuery['by'] | LinearQuery['terms']>()
  for (const { query } of measurements) {
    for (const grouping of query.by) {
      if (grouping.attribute !== attribute) continue
      if (!grouping.groups) return 'all'
      if (seen.has(query.by)) continue
      for (const set of grouping.groups) addEdges(set, cuts)
    }
    seen.add(query.by)
    for (const { factors } of query.terms) {
      const factor = factors[attribute]
      if (factor?.kind === 'interval' || factor?.kind === 'set') addEdges(factor, cuts)
    }
  }
  return [...cuts].filter((cut) => cut >= from && cut < to).sort((a, b) => a - b)
}

function addEdges(set: Indicator, cuts: Set<number>): void {
  if (set.kind === 'interval') {
    cuts.add(set.from - 1)
    cuts.add(set.to)
    return
  }
  set.codes.forEach((code, i) => {
    if (set.codes[i - 1] !== code - 1) cuts.add(code - 1)
    if (set.codes[i + 1] !== code + 1) cuts.add(code)
  })
}
