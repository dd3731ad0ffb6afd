import type { AnswerCharge } from '../charge.ts'
import type { Terms } from '../price.ts'
import { addUnits, type Units } from '../units.ts'
import { costAt, costTable, mostUnits } from './cost-table.ts'
import { eliminate } from './elimination.ts'
import { emptyField, extendField, type Field, fieldBound, withMessages } from './field.ts'
import { improve, settle } from './improve.ts'
import { representatives } from './partition.ts'
import { Search } from './search.ts'

/**
 * A list of charges and a bound on what they cost the worst cell, times the rows of a unit. Tables are built when the
 * sum of the charges' own prices first proves too coarse.
 */
export class WorstCell {
  readonly #terms: Terms
  /** A list that longer ones share; the first `#count` are this one's. */
  readonly #list: AnswerCharge[]
  readonly #count: number
  /** The best bound proven so far. */
  #bound: Units
  #field: Field
  /** How many of the charges the field holds. */
  #built: number
  #exact = false
  #settled = false
  /** Whether messages were sent here. */
  #sent = false

  private constructor(terms: Terms, list: AnswerCharge[], bound: Units, field: Field, built: number) {
    this.#terms = terms
    this.#list = list
    this.#count = list.length
    this.#bound = bound
    this.#field = field
    this.#built = built
  }

  static none(terms: Terms): WorstCell {
    return new WorstCell(terms, [], 0, emptyField(terms.universe), 0)
  }

  /** With more charges; this one stays as it is. */
  and(charges: readonly AnswerCharge[]): WorstCell {
    const bound = charges.reduce((sum, charge) => addUnits(sum, mostUnits(charge, this.#terms)), this.#bound)
    // The end of the list is nobody else's yet, or it is copied: a ledger takes in thousands of charges one by one.
    const list = this.#list.length === this.#count ? this.#list : this.charges
    for (const charge of charges) list.push(charge)
    return new WorstCell(this.#terms, list, bound, this.#field, this.#built)
  }

  /** In a list of its own. */
  get charges(): AnswerCharge[] {
    return this.#list.slice(0, this.#count)
  }

  get bound(): Units {
    return this.#bound
  }

  /** How many of the charges have been worked on as tables: the more, the less is left to do. */
  get built(): number {
    return this.#built
  }

  /** Lowers the bound until it is at most `target`, exact, or as low as messages can take it with reasonable effort. */
  lower(target: Units): Units {
    return this.#work(target, (field) => improve(field, target))
  }

  /** Lowers the bound as far as is worth the while; cheap when asked again. */
  settle(): Units {
    if (!this.#settled) this.#work(0, settle)
    this.#settled = true
    return this.#bound
  }

  #work(target: Units, messages: (field: Field) => Units): Units {
    if (this.#exact || this.#bound <= target || this.#bound === Number.POSITIVE_INFINITY) return this.#bound
    const field = this.build()
    this.#learn(fieldBound(field))
    if (this.#bound <= target) return this.#bound
    const exact = eliminate(field)
    this.#exact = exact !== undefined
    this.#sent = exact === undefined
    this.#learn(exact ?? messages(field))
    return this.#bound
  }

  /** Takes over the messages sent in a list that began with these charges: what it learned is not learned again. */
  learnFrom(longer: WorstCell): void {
    if (!longer.#sent) return
    this.#field = withMessages(this.build(), longer.#field)
    this.#learn(fieldBound(this.#field))
  }

  /** A costly cell (codes in the universe's order), and what the charges cost a record in it: the worst is no cheaper. */
  search(restarts: number): { cell: Int32Array; units: Units } {
    const field = this.build()
    const { classes } = new Search(field).restart(restarts)
    const cell = Int32Array.from(field.common, (p, a) => representatives(p)[classes[a]!]!)
    const units = this.charges.reduce((sum, charge) => addUnits(sum, costAt(charge, cell, this.#terms)), 0)
    return { cell, units }
  }

  /** The charges as tables. */
  build(): Field {
    if (this.#built < this.#count) {
      const tables = this.#list.slice(this.#built, this.#count).map((charge) => costTable(charge, this.#terms))
      this.#field = extendField(this.#field, tables)
      this.#built = this.#count
    }
    return this.#field
  }

  #learn(bound: Units): void {
    if (bound < this.#bound) this.#bound = bound
  }
}
