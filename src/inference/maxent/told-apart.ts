import { type Factor, factorTable } from '../../query/index.ts'
import type { Answered } from './answered.ts'

/** Neighbouring codes of an attribute as one: where each run begins, and the run of every code. */
export interface Runs {
  readonly starts: Int32Array
  readonly of: Int32Array
}

/** A run begins where any answer tells a code from the one before. */
export function runsOf(name: string, size: number, answers: readonly Answered[]): Runs {
  const begins = new Uint8Array(size).fill(1, 0, 1)
  for (const { query } of answers) {
    const tables = query.terms.flatMap(({ factors }) => (factors[name] ? [factors[name]] : []))
    for (const { attribute: by, groups } of query.by) {
      if (by !== name) continue
      if (groups) tables.push(...groups)
      else begins.fill(1)
    }
    for (const factor of tables) markBegins(factor, size, begins)
  }
  const starts = Int32Array.from([...begins.keys()].filter((code) => begins[code] === 1))
  const of = new Int32Array(size)
  for (let code = 1; code < size; code++) of[code] = of[code - 1]! + begins[code]!
  return { starts, of }
}

function markBegins(factor: Factor, size: number, begins: Uint8Array): void {
  if (factor.kind === 'interval') {
    begins[factor.from] = 1
    if (factor.to + 1 < size) begins[factor.to + 1] = 1
    return
  }
  const table = factorTable(factor, size)
  for (let code = 1; code < size; code++) if (table[code] !== table[code - 1]) begins[code] = 1
}
