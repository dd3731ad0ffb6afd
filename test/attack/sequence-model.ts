/**
 * What an owner and analysts must be able to rely on, kept by hand: which data every answer is about, and what every cell
 * has paid for all answers ever given, also those that a ledger has forgotten. It knows nothing of Reticent but the
 * prices and numbers that were handed out.
 */
export interface Question {
  readonly sql: string
  /** Whether a cell of (age, female) is counted. */
  readonly counts: (age: number, female: boolean) => boolean
  /** The group that a cell falls into, as the answer's key spells it; none without GROUP BY. */
  readonly group?: (age: number, female: boolean) => string
}

export const ages = [0, 1, 2, 3] as const
const cells = ages.flatMap((age) => [true, false].map((female) => ({ age, female })))

export const questions: readonly Question[] = [
  { sql: 'SELECT COUNT(*) FROM t', counts: () => true },
  { sql: "SELECT COUNT(*) FROM t WHERE sex = 'F'", counts: (_, female) => female },
  { sql: 'SELECT COUNT(*) FROM t WHERE age >= 2', counts: (age) => age >= 2 },
  { sql: 'SELECT sex, COUNT(*) FROM t GROUP BY sex', counts: () => true, group: (_, female) => (female ? 'F' : 'M') },
  { sql: 'SELECT age, COUNT(*) FROM t GROUP BY age', counts: () => true, group: (age) => String(age) },
]

/**
 * Any two tables differ by 400 or more in every number that is asked for, two cells at least. A told number is off by twelve
 * times the half-width of its 95% interval, 36 scales of Laplace noise, once in 10^15.
 */
const halfWidths = 12
/** Records of one cell in the tables, by number. */
export const recordsPerCell = [3, 203, 403] as const

/** A ledger's own past: the epochs that it has seen, the last of which answers. */
export interface Lineage {
  readonly epochs: readonly number[]
}

export class SequenceModel {
  readonly #tables: number[] = []
  readonly #paid: number[][] = []
  /** Answers that were given. */
  given = 0

  /** A new epoch, about this table. */
  epoch(table: number, { epochs }: Lineage = { epochs: [] }): Lineage {
    this.#tables.push(table)
    this.#paid.push(cells.map(() => 0))
    return { epochs: [...epochs, this.#tables.length - 1] }
  }

  /** The table that a ledger is about. */
  tableOf({ epochs }: Lineage): number {
    return this.#tables[epochs.at(-1)!]!
  }

  /** An answer was given for this price: is it about the epoch's table? */
  answered(lineage: Lineage, question: Question, answer: AnswerLike): string | undefined {
    this.pay(lineage, answer.cost.epsilon, question.counts)
    const table = this.tableOf(lineage)
    const truths = new Map<string, number>()
    for (const { age, female } of cells) {
      const key = question.group?.(age, female) ?? ''
      const counted = question.counts(age, female) ? recordsPerCell[table]! : 0
      truths.set(key, (truths.get(key) ?? 0) + counted)
    }
    const told = answer.groups?.map(({ key, ...number }) => [String(Object.values(key)[0]), number] as const) ?? [
      ['', answer as ToldNumber] as const,
    ]
    if (told.length !== truths.size) return `${told.length} groups instead of ${truths.size}`
    const wrong = told.find(([key, { estimate, within }]) => {
      const off = Math.abs(estimate - (truths.get(key) ?? Number.NaN))
      return !(off <= halfWidths * Math.max(1, within))
    })
    return wrong && `${question.sql}: ${wrong[0]} ${wrong[1].estimate} is not about table ${table}`
  }

  /** Something was bought for this price, which these cells pay. */
  pay({ epochs }: Lineage, epsilon: number, pays: Question['counts'] = () => true): void {
    this.given++
    const paid = this.#paid[epochs.at(-1)!]!
    for (const [i, { age, female }] of cells.entries()) if (pays(age, female)) paid[i]! += epsilon
  }

  /** The sum over all epochs there ever were of each one's worst cell. */
  get spent(): number {
    return this.#paid.reduce((sum, paid) => sum + Math.max(...paid), 0)
  }
}

interface ToldNumber {
  readonly estimate: number
  /** The interval itself may be narrower: it ends at 0. */
  readonly within: number
}

export interface AnswerLike extends Partial<ToldNumber> {
  readonly cost: { readonly epsilon: number }
  readonly groups?: readonly (ToldNumber & { readonly key: object })[]
}
