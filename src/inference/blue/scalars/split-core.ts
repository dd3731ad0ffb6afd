import { shapeOf } from '../blocks/column-key.ts'
import { keyOf } from '../blocks/row.ts'
import type { Shapes, Weights } from '../compile.ts'
import { kept } from '../kept.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import { type CoreParts, type CoreTable, placesOf } from './core-tables.ts'

/** What is asked of scalar answers here; `Scalars` is one. */
export interface System {
  readonly hasRedundant: boolean
  readonly leftOut: number
  add(answers: readonly ScalarAnswer[]): void
  estimate(weights: Weights): Told | undefined
  fork(): System
}

/** A best estimate: how uncertain it is, and what each answer counts. */
interface Told {
  readonly rounding: number
  readonly variance: number
  readonly largest: number
  readonly excess: number
  readonly deviations: number
  readonly answers: readonly { readonly answer: ScalarAnswer; readonly times: number }[]
  /** The same object for estimates whose errors have the same law: as many noises of each measurement weigh the same. */
  readonly alike?: object
}

/** What the sum of a table is, and what its groups have in common beside it. */
interface TableTold {
  readonly sum: Told
  readonly apart: Told
  readonly tables: readonly TableShare[]
  /** Other answers in the sum. */
  readonly others: Told['answers']
}

/** How often a table is in the estimate of a sum, and in that of what groups have in common. */
interface TableShare {
  readonly table: CoreTable
  sum: number
  apart: number
}

/** Tables with the same groups of one attribute. */
interface Family {
  readonly axis: string
  /** One row for each table: what its groups have in common, as if it were one of them. */
  readonly rows: System
}

/** One of the groups of a family's tables, and what else it is. */
interface Group {
  readonly group: string
  readonly family: Family
  readonly common: Weights
}

/**
 * The core in parts that are estimated by themselves: sums of tables beside all other answers, and what tells the groups of
 * a table apart. A system of 100 tables by 5 groups is two of 100 rows instead of one of 500.
 * Proof: docs/algorithms/blue.md, section 3.
 */
export class SplitCore {
  readonly #shapes: Shapes
  readonly #open: () => System
  readonly #sums: System
  readonly #families = new Map<number, Family>()
  /** The tables behind sums and rows. */
  readonly #tables: Map<ScalarAnswer, CoreTable>
  /** What has been taken in: tables by their ids, the others themselves. */
  readonly #ids: Set<string>
  readonly #others: Set<ScalarAnswer>
  #last: { readonly key: string; readonly rows: System; readonly told: TableTold | undefined } | undefined

  private constructor(shapes: Shapes, open: () => System, from?: SplitCore) {
    this.#shapes = shapes
    this.#open = open
    this.#sums = from ? from.#sums.fork() : open()
    for (const [place, { axis, rows }] of from ? from.#families : [])
      this.#families.set(place, { axis, rows: rows.fork() })
    this.#tables = new Map(from ? from.#tables : [])
    this.#ids = new Set(from ? from.#ids : [])
    this.#others = new Set(from ? from.#others : [])
  }

  /** `before` are what an earlier core was split into: where this one has all of one of them, that one goes on. */
  static of(parts: CoreParts, shapes: Shapes, open: () => System, before: Set<SplitCore>): SplitCore {
    const earlier = before.values().find((split) => split.goesOnWith(parts))
    if (earlier) before.delete(earlier)
    const split = earlier ?? new SplitCore(shapes, open)
    split.#take(parts)
    return split
  }

  fork(): SplitCore {
    return new SplitCore(this.#shapes, this.#open, this)
  }

  get hasRedundant(): boolean {
    return this.#systems.some(({ hasRedundant }) => hasRedundant)
  }
  get leftOut(): number {
    return this.#systems.reduce((sum, { leftOut }) => sum + leftOut, 0)
  }
  get #systems(): System[] {
    return [this.#sums, ...Array.from(this.#families.values(), ({ rows }) => rows)]
  }

  /** Whether what was a table still is one, and what was not is not. */
  goesOnWith({ tables, others }: CoreParts): boolean {
    const isSame = ({ place, axis }: CoreTable) => (this.#families.get(place)?.axis ?? axis) === axis
    const [ids, rest] = [tables.filter(({ id }) => this.#ids.has(id)), others.filter((one) => this.#others.has(one))]
    return tables.every(isSame) && ids.length === this.#ids.size && rest.length === this.#others.size
  }

  #take({ tables, others }: CoreParts): void {
    this.#last = undefined
    const sums: ScalarAnswer[] = others.filter((answer) => !this.#others.has(answer))
    for (const answer of sums) this.#others.add(answer)
    const fresh = tables.filter(({ id }) => !this.#ids.has(id))
    for (const [place, list] of Map.groupBy(fresh, (table) => table.place)) {
      const family = this.#families.get(place) ?? { axis: list[0]!.axis, rows: this.#open() }
      this.#families.set(place, family)
      const rows = list.map((table) => this.#standIn(table, rowOf(table)))
      family.rows.add(rows)
      for (const table of list) {
        sums.push(this.#standIn(table, sumOf(table)))
        this.#ids.add(table.id)
      }
    }
    if (sums.length > 0) this.#sums.add(sums)
  }

  #standIn(table: CoreTable, answer: ScalarAnswer): ScalarAnswer {
    this.#tables.set(answer, table)
    return answer
  }

  /** Whether a question is told by these parts: it is about sums, or about one of a table's groups. */
  tells(question: Weights): boolean {
    return this.#groupIn(question) !== 'none'
  }

  /** The best estimate; null where there is none, and undefined where the question is not told by these parts. */
  estimate(question: Weights): Told | null | undefined {
    const found = this.#groupIn(question)
    if (found === 'none') return undefined
    if (found === 'sums') return this.#ofSums(question)
    const { group, common, family } = found
    const told = this.#ofTable(common, family.rows)
    return told ? this.#ofGroup(group, family.axis.split(';').length, told) : null
  }

  #groupIn(question: Weights): Group | 'sums' | 'none' {
    const places = new Set(placesOf(question).filter((place) => this.#families.has(place)))
    if (places.size === 0) return 'sums'
    const [term, ...more] = question.terms
    const [place, ...others] = places
    if (more.length > 0 || others.length > 0) return 'none'
    const at = term!.attributes.indexOf(place!)
    const group = shapeOf(term!.columns[at]!).text
    const family = this.#families.get(place!)!
    if (!family.axis.split(';').includes(group)) return 'none'
    const [attributes, columns] = [term!.attributes.toSpliced(at, 1), term!.columns.toSpliced(at, 1)]
    const rest = { ...term!, attributes, columns, shape: this.#shapes.of(attributes) }
    return { group, family, common: { terms: [rest], step: question.step } }
  }

  /** The same for all groups of a table, which are asked about one after the other. */
  #ofTable(common: Weights, rows: System): TableTold | undefined {
    const key = keyOf(common)
    if (this.#last?.key === key && this.#last.rows === rows) return this.#last.told
    const [sum, apart] = [this.#sums.estimate(common), rows.estimate(common)]
    const told = sum && apart && { sum, apart, ...this.#sharesIn(sum, apart) }
    this.#last = { key, rows, told }
    return told
  }

  #ofSums(question: Weights): Told | null {
    const told = this.#sums.estimate(question)
    return told ? { ...told, answers: this.#behind(told) } : null
  }

  #sharesIn(sum: Told, apart: Told): Pick<TableTold, 'tables' | 'others'> {
    const tables = new Map<CoreTable, TableShare>()
    const others: Told['answers'][number][] = []
    for (const used of sum.answers) {
      const table = this.#tables.get(used.answer)
      if (table) tables.set(table, { table, sum: used.times, apart: 0 })
      else others.push(used)
    }
    for (const { answer, times } of apart.answers) {
      const table = this.#tables.get(answer)!
      kept(tables, table, () => ({ table, sum: 0, apart: 0 })).apart = times
    }
    return { tables: [...tables.values()], others }
  }

  /** A group is its share of the sum, and what it is more than that. All groups of a table are alike. */
  #ofGroup(group: string, count: number, told: TableTold): Told {
    const { sum, apart, tables, others } = told
    const share = 1 / count
    const both = (of: (told: Told) => number) => share * share * of(sum) + (1 - share) * of(apart)
    const answers = others.map(({ answer, times }) => ({ answer, times: share * times }))
    for (const { table, sum: times, apart: more } of tables)
      table.groups.forEach((answer, other) => {
        answers.push({ answer, times: share * times + (other === group ? 1 - share : -share) * more })
      })
    return {
      // What shares of a row miss, a group misses once, and its share of the sum once more.
      rounding: share * sum.rounding + 2 * apart.rounding,
      variance: both(({ variance }) => variance),
      largest: both(({ largest }) => largest),
      excess: both(({ excess }) => excess),
      deviations: share * sum.deviations + apart.deviations,
      answers,
      alike: told,
    }
  }

  /** The answers themselves, of which tables have one for each group. */
  #behind({ answers }: Told): { answer: ScalarAnswer; times: number }[] {
    return answers.flatMap(({ answer, times }) => {
      const table = this.#tables.get(answer)
      return table ? Array.from(table.groups.values(), (own) => ({ answer: own, times })) : [{ answer, times }]
    })
  }
}

const sumOf = ({ groups, common, id }: CoreTable): ScalarAnswer => {
  const [first] = groups.values()
  const value = groups.values().reduce((sum, answer) => sum + answer.value, 0)
  return { id, cell: 0, weights: { ...common }, value, law: first!.law, variance: groups.size * first!.variance }
}

/** Its value bounds what rounding does to any of the groups. */
const rowOf = ({ groups, common, id }: CoreTable): ScalarAnswer => {
  const [first] = groups.values()
  const value = groups.values().reduce((most, answer) => Math.max(most, Math.abs(answer.value)), 0)
  return { id, cell: 0, weights: { ...common }, value, law: first!.law, variance: first!.variance }
}
