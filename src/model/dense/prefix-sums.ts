import { strides } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'

/** Sums over boxes of a table: once all prefixes are added up, each takes two numbers per axis. */
export class PrefixSums {
  readonly #sums: Float64Array
  readonly #steps: readonly number[]

  constructor(table: Float64Array, sizes: readonly number[]) {
    this.#sums = table.slice()
    this.#steps = strides(sizes)
    for (const [axis, step] of this.#steps.entries()) {
      const span = step * sizes[axis]!
      for (let from = 0; from < table.length; from += span)
        for (let i = from + step; i < from + span; i++) this.#sums[i]! += this.#sums[i - step]!
    }
  }

  /** Over the codes from … to, both included, of every axis. */
  box(from: readonly number[], to: readonly number[], axis = 0, at = 0): number {
    if (axis === from.length) return this.#sums[at]!
    const step = this.#steps[axis]!
    const upTo = this.box(from, to, axis + 1, at + to[axis]! * step)
    return from[axis]! > 0 ? upTo - this.box(from, to, axis + 1, at + (from[axis]! - 1) * step) : upTo
  }
}

/** The box that a query counts, over attributes of these names; undefined for any other query. */
export function boxOf(query: LinearQuery, names: readonly string[]): { from: number[]; to: number[] } | undefined {
  const [term] = query.terms
  if (query.by.length > 0 || query.terms.length !== 1 || term!.coefficient !== 1) return undefined
  const intervals = names.map((name) => term!.factors[name])
  if (!intervals.every((factor) => factor?.kind === 'interval')) return undefined
  return { from: intervals.map(({ from }) => from), to: intervals.map(({ to }) => to) }
}
