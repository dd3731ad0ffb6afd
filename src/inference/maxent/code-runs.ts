import type { Rows } from '../../model/index.ts'
import { firstWhere } from '../../numeric/index.ts'
import { type Factor, factorTable, type Indicator, type LinearQuery } from '../../query/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'
import type { Answered } from './answered.ts'
import { type Runs, runsOf } from './told-apart.ts'

/** Attributes with fewer codes are left as they are. */
const leastCodes = 256

/**
 * Neighbouring codes that no answer tells apart, in attributes with many codes. A fit over runs has the same weights as one over codes, and inside a run p
 * is as the prior has it. A count of amounts above 5,000 has two runs where there are 100,001 codes, each of which a chain would look at in
 * every step.
 */
export class CodeRuns {
  readonly #fine: Universe
  /** Undefined where every code is one of its own. */
  readonly #runs: readonly (Runs | undefined)[]
  /** Of the runs. */
  readonly universe: Universe

  constructor(fine: Universe, answers: readonly Answered[]) {
    this.#fine = fine
    this.#runs = fine.attributes.map(({ name, size }) => {
      if (size < leastCodes) return undefined
      const runs = runsOf(name, size, answers)
      return runs.starts.length < size ? runs : undefined
    })
    const isSame = this.#runs.every((runs) => !runs)
    this.universe = isSame
      ? fine
      : universe(
          fine.attributes.map((a, i) => {
            const runs = this.#runs[i]
            return runs
              ? attribute({ kind: 'integer', name: a.name, low: 0, high: runs.starts.length - 1, closed: true })
              : a
          }),
        )
  }

  /** The same answers about runs. */
  answers<T extends Answered>(answers: readonly T[]): T[] {
    return answers.map((answer) => ({ ...answer, query: this.#query(answer.query) }))
  }

  #query(query: LinearQuery): LinearQuery {
    const of = (name: string) => this.#runs[this.#fine.index.get(name)!]
    return {
      ...query,
      by: query.by.map(({ attribute: name, groups }) => {
        const runs = of(name)
        return {
          attribute: name,
          ...(groups && { groups: runs ? groups.map((group) => indicatorOver(group, runs)) : groups }),
        }
      }),
      terms: query.terms.map(({ coefficient, factors }) => ({
        coefficient,
        factors: Object.fromEntries(
          Object.entries(factors).map(([name, factor]) => {
            const runs = of(name)
            return [name, runs ? factorOver(factor, runs) : factor]
          }),
        ),
      })),
    }
  }

  /** Shares of runs from those of codes. */
  shares(prior: readonly Float64Array[]): Float64Array[] {
    return prior.map((shares, a) => {
      const runs = this.#runs[a]
      if (!runs) return shares
      const sums = new Float64Array(runs.starts.length)
      for (let code = 0; code < shares.length; code++) sums[runs.of[code]!]! += shares[code]!
      return sums
    })
  }

  /** A table over runs of these attributes as one over their codes: what was said of a run is said of each of its codes. */
  spread(attributes: readonly number[], values: Float64Array): Float64Array {
    let [table, inner] = [values, 1]
    for (const a of attributes.toReversed()) {
      const { size } = this.#fine.attributes[a]!
      table = this.#spreadAxis(table, a, inner)
      inner *= size
    }
    return table
  }

  /** One axis, of which neighbouring runs are `inner` numbers apart. */
  #spreadAxis(table: Float64Array, a: number, inner: number): Float64Array {
    const runs = this.#runs[a]
    if (!runs) return table
    const [count, size] = [runs.starts.length, runs.of.length]
    const outer = table.length / (count * inner)
    const wide = new Float64Array(outer * size * inner)
    for (let o = 0; o < outer; o++)
      for (let code = 0; code < size; code++) {
        const from = (o * count + runs.of[code]!) * inner
        wide.set(table.subarray(from, from + inner), (o * size + code) * inner)
      }
    return wide
  }

  /** Codes in place of runs, each drawn from its run as the prior has them. `random`: uniform below 1. */
  codes(rows: Rows, prior: readonly Float64Array[], random: () => number): Rows {
    return rows.map((column, a) => {
      const runs = this.#runs[a]
      if (!runs) return column
      const below = new Float64Array(prior[a]!.length + 1)
      for (let code = 0; code < prior[a]!.length; code++) below[code + 1] = below[code]! + prior[a]![code]!
      return column.map((run) => {
        const [from, end] = [runs.starts[run]!, runs.starts[run + 1] ?? runs.of.length]
        return drawn(below, from, end, random())
      })
    })
  }
}

function indicatorOver(factor: Indicator, { of }: Runs): Indicator {
  if (factor.kind === 'interval') return { kind: 'interval', from: of[factor.from]!, to: of[factor.to]! }
  return { kind: 'set', codes: [...new Set(factor.codes.map((code) => of[code]!))] }
}

function factorOver(factor: Factor, runs: Runs): Factor {
  if (factor.kind === 'interval' || factor.kind === 'set') return indicatorOver(factor, runs)
  const table = factorTable(factor, runs.of.length)
  return { kind: 'table', values: Array.from(runs.starts, (code) => table[code]!) }
}

/** The code from … end - 1 whose share holds this part of all of theirs. */
function drawn(below: Float64Array, from: number, end: number, part: number): number {
  const at = below[from]! + part * (below[end]! - below[from]!)
  return firstWhere(from, end - 1, (code) => below[code + 1]! > at)
}
