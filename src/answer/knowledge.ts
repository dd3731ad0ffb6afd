import {
  cellQuery,
  type ErrorLaw,
  type Estimate,
  type Estimated,
  errorLawByCharacteristic,
  type History,
  openHistory,
  type TableEstimates,
} from '../inference/index.ts'
import { answerSize, attributesOf, type LinearQuery, marginalOver } from '../query/index.ts'
import { attributeNamed } from '../schema/index.ts'
import type { Book } from '../trusted/ledger/index.ts'
import { type Known, remembering } from './known/known.ts'

/** The most steps that a question may take, of about a microsecond each. Beyond that the history is not consulted. */
export const mostSteps = 5_000_000
/**
 * Steps of an estimate and its error distribution: a constant, a cost per noisy number in marginals, one per square of
 * the number of other answers, and, for attributes with conditions that are not ranges, one per code and other answer.
 */
const [stepsOfOne, stepsOfCell, stepsOfScalar, stepsOfCode] = [2000, 0.1, 0.002, 0.02]
/** With more other answers than can be combined, the most informative ones are chosen, and a group takes this many steps. */
const mostScalars = 5000
const stepsOfChoosing = 100_000
/** Steps of a group if tables are consulted one by one. */
const stepsOfTable = 20

/** Estimates from everything released so far; kept in memory between the questions of one process. */
export class Knowledge {
  readonly #book: Book
  readonly #random: () => number
  #history: History | undefined
  #epoch = 0
  /** Of the book when it was last read. */
  #head: Book['head'] | undefined
  /** How many releases it had then, and which of them had not been recorded. */
  #known = 0
  #waiting: number[] = []
  /** How many were read. */
  #read = 0
  /** What whole tables said last. */
  #tables: { query: LinearQuery; read: number; known: readonly Known[] | undefined } | undefined
  /** What is said about single numbers, until there is more to read: a ratio asks about its parts again and again. */
  #numbers = new WeakMap<LinearQuery, { readonly known: Known | undefined }>()
  /** Noisy numbers in full marginals, and all others. */
  #cells = 0
  #scalars = 0
  /** Attributes for which other answers have conditions that are not ranges. */
  #scattered = new Set<string>()

  /** `random` gives uniform numbers below 1, for proofs about public numbers. */
  constructor(book: Book, random: () => number) {
    this.#book = book
    this.#random = random
  }

  /**
   * One entry per group of the query; undefined if the history does not determine it, or there are too many groups. If
   * there are too many to combine answers in each, whole tables are consulted one by one.
   */
  about(query: LinearQuery): readonly Known[] | undefined {
    if (!this.isConsulted(query)) return this.#fromTables(query)
    const history = this.#follow()
    if (query.by.length === 0) {
      const only = this.#number(history, query)
      return only && [only]
    }
    // If all groups are alike and one is not determined, none is.
    if (this.#isUniform(query) && !this.aboutGroup(query, 0)) return undefined
    const estimates = history.estimates(query)
    if (!estimates.every(isEstimable)) return undefined
    return this.#isUniform(query) ? alike(estimates) : estimates.map(known)
  }

  #fromTables(query: LinearQuery): readonly Known[] | undefined {
    if (answerSize(query, this.#book.universe) * stepsOfTable > mostSteps) return undefined
    const history = this.#follow()
    // The same question is asked repeatedly: the answer stays the same until there is more to read.
    if (this.#tables?.query !== query || this.#tables.read !== this.#read) {
      const found = history.fromTables(query)
      this.#tables = { query, read: this.#read, known: found && knownGroups(found) }
    }
    return this.#tables.known
  }

  /** Whether the history determines anything, if it can be consulted at all. */
  isUsed(query: LinearQuery): boolean {
    return this.isConsulted(query) || this.#fromTables(query) !== undefined
  }

  /** The same for one group; if all groups are alike, any of them has the same error distribution. */
  aboutGroup(query: LinearQuery, group: number): Known | undefined {
    const history = this.#follow()
    if (query.by.length === 0) return this.#number(history, query)
    const cell = this.#isUniform(query) ? 0 : group
    const only = history.estimate(cellQuery(query, this.#book.universe, cell))
    return only.estimable ? known(only) : undefined
  }

  #number(history: History, query: LinearQuery): Known | undefined {
    const before = this.#numbers.get(query)
    if (before) return before.known
    const only = history.estimate(query)
    const told = only.estimable ? known(only) : undefined
    this.#numbers.set(query, { known: told })
    return told
  }

  /** Whether all groups have the same error distribution. */
  isUniform(query: LinearQuery): boolean {
    this.#follow()
    return this.#isUniform(query)
  }

  /** Whether the history can be consulted this many times about all groups; the number of steps follows from public sizes. */
  isConsulted(query: LinearQuery, times = 1): boolean {
    this.#follow()
    const groups = answerSize(query, this.#book.universe)
    return groups === 1 || this.#isUniform(query) || times * groups * this.#stepsFor(query) <= mostSteps
  }

  /** Whether it still can once the query has been measured, and so is in the history as well. */
  isConsultedAfter(query: LinearQuery): boolean {
    this.#follow()
    const size = answerSize(query, this.#book.universe)
    const isMarginal = marginalOver(query) !== undefined
    if (isMarginal && this.#isUniform(query)) return true
    const isChosen = this.#scalars > mostScalars
    // Which answers are chosen may change with a marginal, or where there are more than can all be combined.
    if (isMarginal ? isChosen : !isChosen && this.#scalars + size > mostScalars) return false
    return size === 1 || size * this.#stepsFor(query, isMarginal ? { cells: size } : { scalars: size }) <= mostSteps
  }

  /** About one group, with so many more noisy numbers in the history. */
  #stepsFor(query: LinearQuery, more: { readonly cells?: number; readonly scalars?: number } = {}): number {
    const cells = this.#cells + (more.cells ?? 0)
    const scalars = this.#scalars + (more.scalars ?? 0)
    if (scalars > mostScalars) return stepsOfChoosing + stepsOfCell * cells
    const own = new Set(scattered(query))
    const names = attributesOf(query, this.#book.universe).filter((name) => own.has(name) || this.#scattered.has(name))
    const codes = names.reduce((sum, name) => sum + attributeNamed(this.#book.universe, name).size, 0)
    return stepsOfOne + stepsOfCell * cells + stepsOfScalar * scalars ** 2 + stepsOfCode * codes * (1 + scalars)
  }

  /**
   * Do all groups have the same error distribution? Marginals treat all codes of an attribute alike, so this holds for
   * groups that are single codes, if the query does not otherwise depend on these attributes.
   */
  #isUniform({ by, terms }: LinearQuery): boolean {
    const looks = (attribute: string) => terms.some(({ factors }) => attribute in factors)
    return this.#scalars === 0 && by.every(({ attribute, groups }) => groups === undefined && !looks(attribute))
  }

  /** Reads what was recorded since the last time; an epoch begins empty. */
  #follow(): History {
    if (this.#history && this.#head === this.#book.head) return this.#history
    this.#head = this.#book.head
    if (!this.#history || this.#epoch !== this.#book.epochs) {
      this.#history = openHistory(this.#book.universe, { random: this.#random })
      this.#epoch = this.#book.epochs
      this.#known = this.#read = 0
      this.#waiting = []
      this.#tables = undefined
      this.#numbers = new WeakMap()
      this.#cells = this.#scalars = 0
      this.#scattered = new Set()
    }
    const { releases } = this.#book
    while (this.#known < releases.length) this.#waiting.push(this.#known++)
    for (const place of this.#waiting)
      if (releases[place]!.state === 'recorded') this.#takeIn(this.#history, releases[place]!)
    this.#waiting = this.#waiting.filter((place) => releases[place]!.state === 'open')
    return this.#history
  }

  #takeIn(history: History, { measurements, refines }: Book['releases'][number]): void {
    for (const measurement of measurements) {
      history.append(measurement, refines === null ? undefined : { replaces: refines })
      if (refines !== null || measurement.law.kind === 'none') continue
      if (marginalOver(measurement.query)) this.#cells += measurement.values.length
      else {
        this.#scalars += measurement.values.length
        for (const name of scattered(measurement.query)) this.#scattered.add(name)
      }
    }
    this.#read++
    this.#numbers = new WeakMap()
  }
}

/** The attributes for which a query has conditions that are not ranges. */
function scattered({ by, terms }: LinearQuery): string[] {
  const groups = by.flatMap(({ attribute, groups: sets = [] }) => sets.map((set) => [attribute, set] as const))
  const factors = [...groups, ...terms.flatMap((term) => Object.entries(term.factors))]
  return factors.filter(([, { kind }]) => kind !== 'interval').map(([name]) => name)
}

const isEstimable = (estimate: Estimate): estimate is Estimated => estimate.estimable

const known = (made: Estimated): Known => ({ estimate: made.estimate, made, errorLaw: errorLawOf(made) })

/** Every distribution is computed once. */
function errorLawOf(made: Known['made']): Known['errorLaw'] {
  const laws = new Map<number | undefined, ErrorLaw>()
  return (blur) => {
    let errorLaw = laws.get(blur)
    if (!errorLaw) {
      const rounding = made.rounding.estimate
      errorLaw = remembering(errorLawByCharacteristic(made.coefficients, { blur, rounding }))
      laws.set(blur, errorLaw)
    }
    return errorLaw
  }
}

function knownGroups({ values, kinds, laws }: TableEstimates): Known[] {
  const errorLaws = laws.map(errorLawOf)
  return Array.from(values, (estimate, group) => {
    const kind = kinds[group]!
    return { estimate, made: laws[kind]!, errorLaw: errorLaws[kind]! }
  })
}

/** Estimates with the same error distribution. */
function alike(estimates: readonly Estimated[]): Known[] {
  const made = estimates[0]!
  const errorLaw = errorLawOf(made)
  return estimates.map(({ estimate }) => ({ estimate, made, errorLaw }))
}
