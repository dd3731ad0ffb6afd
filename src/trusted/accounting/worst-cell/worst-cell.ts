import type { AnswerCharge } from '../charge.ts'
import type { Terms } from '../price.ts'
import { addUnits, type Units } from '../units.ts'
import { costAt, costTable, mostUnits } from './cost-table.ts'
import { eliminate } from './elimination.ts'
import { emptyField, extendField, type Field, fieldBound, withMessages } from './field.ts'
import { improve, settle } from './improve.ts'
import { representatives } from './partition.ts'
import { Search } from './search.ts'

/** The latest of a list of charges, and the list before it, which longer ones share. */
interface Link {
  readonly charge: AnswerCharge
  readonly before: Link | undefined
  /** How many charges the list has. */
  readonly count: number
}

/**
 * A list of charges and a bound on what they cost the worst cell, times the rows of a unit. Tables are built when the
 * sum of the charges' own prices first proves too coarse.
 */
export class WorstCell {
  readonly #terms: Terms
  readonly #latest: Link | undefined
  /** The best bound proven so far. */
  #bound: Units
  #field: Field
  /** How many of the charges the field holds. */
  #built: number
  #exact = false
  #settled = false
  /** Whether messages were sent here. */
  #sent = false

  private constructor(terms: Terms, latest: Link | undefined, bound: Units, field: Field, built: number) {
    this.#terms = terms
    this.#latest = latest
    this.#bound = bound
    this.#field = field
    this.#built = built
  }

  static none(terms: Terms): WorstCell {
    return new WorstCell(terms, undefined, 0, emptyField(terms.universe), 0)
  }

  /** With more charges; this one stays as it is. */
  and(charges: readonly AnswerCharge[]): WorstCell {
    let [latest, bound] = [this.#latest, this.#bound]
    for (const charge of charges) {
      latest = { charge, before: latest, count: (latest?.count ?? 0) + 1 }
      bound = addUnits(bound, mostUnits(charge, this.#terms))
    }
    return new WorstCell(this.#terms, latest, bound, this.#field, this.#built)
  }

  /** All charges but the first so many, in their order. */
  #after(count: number): AnswerCharge[] {
    const charges: AnswerCharge[] = []
    for (let link = this.#latest; link && link.count > count; link = link.before) charges.push(link.charge)
    return charges.reverse()
  }
  get charges(): AnswerCharge[] {
    return this.#after(0)
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
    const tables = this.#after(this.#built).map((charge) => costTable(charge, this.#terms))
    if (tables.length > 0) this.#field = extendField(this.#field, tables)
    this.#built += tables.length
    return this.#field
  }

  #learn(bound: Units): void {
    if (bound < this.#bound) this.#bound = bound
  }
}
