import { answerSize, attributesOf, factorTable, type LinearQuery } from '../../../query/index.ts'
import type { CodedTable } from '../../marginals/index.ts'

/** Exact answers to queries over at most two attributes; every pair is counted once. */
export class ExactAnswers {
  readonly #table: CodedTable
  readonly #counts = new Map<string, Float64Array>()

  constructor(table: CodedTable) {
    this.#table = table
  }

  /** One number per group. */
  of(query: LinearQuery): Float64Array {
    const { universe: u } = this.#table
    const places = attributesOf(query, u).map((name) => u.index.get(name)!)
    const [x = 0, y = x === 0 ? 1 : 0] = places.toSorted((a, b) => a - b)
    const [a, b] = [u.attributes[x]!, u.attributes[y]!]
    const counts = this.#countsOf(x, y)
    const answers = new Float64Array(answerSize(query, u))
    for (const { coefficient, factors } of query.terms) {
      const [g, h] = [factorTable(factors[a.name], a.size), factorTable(factors[b.name], b.size)]
      for (let i = 0; i < a.size; i++)
        if (g[i] !== 0)
          for (let j = 0; j < b.size; j++) {
            const weight = coefficient * g[i]! * h[j]! * counts[i * b.size + j]!
            if (weight !== 0) answers[groupAt(query, a.name, i, j)]! += weight
          }
    }
    return answers
  }

  #countsOf(x: number, y: number): Float64Array {
    const key = `${x},${y}`
    const known = this.#counts.get(key)
    if (known) return known
    const { universe: u, columns, rows } = this.#table
    const width = u.attributes[y]!.size
    const counts = new Float64Array(u.attributes[x]!.size * width)
    for (let row = 0; row < rows; row++) counts[columns[x]![row]! * width + columns[y]![row]!]!++
    this.#counts.set(key, counts)
    return counts
  }
}

/** By at most one attribute, each code a group. */
const groupAt = ({ by }: LinearQuery, first: string, i: number, j: number): number =>
  by.length === 0 ? 0 : by[0]!.attribute === first ? i : j
