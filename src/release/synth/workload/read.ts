import type { QueryList } from '../../../query/index.ts'
import { type Universe, usage } from '../../../schema/index.ts'
import { cuboids } from './cuboids.ts'
import { parities } from './parities.ts'
import { randomRanges } from './ranges.ts'

/** What a workload's text may be. */
const forms: readonly [RegExp, (universe: Universe, number: number, random: () => number) => QueryList][] = [
  [/^(\d+)-way$/, (universe, ways) => cuboids(universe, ways)],
  [/^ranges:(\d+)$/, (universe, count, random) => randomRanges(universe, count, random)],
  [/^parities:(\d+)$/, (universe, degree) => parities(universe, degree)],
]

/**
 * The queries that a text names: "2-way", "ranges:1000", "parities:3". `random` is uniform on [0, 1); it chooses ranges, and
 * nothing about it is private.
 */
export function parseWorkload(text: string, universe: Universe, random: () => number): QueryList {
  for (const [form, make] of forms) {
    const found = form.exec(text.trim())
    if (found) return make(universe, Number(found[1]), random)
  }
  throw usage(`${JSON.stringify(text)} is no workload`, 'For example "2-way", "ranges:1000" or "parities:3".')
}
