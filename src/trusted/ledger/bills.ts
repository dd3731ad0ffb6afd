import {
  addSpending,
  type Charge,
  measurementCharge,
  priceInBoth,
  type RefinementCharge,
  type Spending,
  sumSpending,
  type Terms,
  zeroSpending,
} from '../accounting/index.ts'

/**
 * The purchases of one epoch, to be added up at their own prices. No record has paid more than that for them, whatever
 * comes before or after. Prices are computed on demand: that takes time, and few are needed.
 */
export class Bills {
  readonly #terms: Terms
  readonly #bills: { readonly seq: number; readonly charges: readonly Charge[]; readonly held: Spending }[] = []

  constructor(terms: Terms) {
    this.#terms = terms
  }

  add(seq: number, charges: readonly Charge[], held: Spending): void {
    this.#bills.push({ seq, charges, held })
  }

  /** What was paid for after this row. */
  after(seq: number): Spending {
    return this.#since(seq)
      .flatMap(({ charges, held }) => [held, ...charges.map((charge) => priceInBoth(charge, this.#terms))])
      .reduce(addSpending, zeroSpending)
  }

  /**
   * What the refinements after this row lack should each of their parents have been refined elsewhere as well. Given the
   * parent, an answer may tell as much as both were charged together: so ε lacks the parent's price twice, and ρ less
   * than the refined answer's twice. Proof: docs/ledger.md, "What a restored copy is charged".
   */
  forksAfter(seq: number): Spending {
    const charges = this.#since(seq).flatMap((bill) => bill.charges)
    const refinements = charges.filter((charge): charge is RefinementCharge => charge.kind === 'refinement')
    const lacks = refinements.map(({ query, law, paid }) => ({
      epsilon: priceInBoth(measurementCharge({ query, law: paid }), this.#terms).epsilon,
      rho: priceInBoth(measurementCharge({ query, law }), this.#terms).rho,
    }))
    return sumSpending([...lacks, ...lacks])
  }

  #since(seq: number) {
    return this.#bills.slice(this.#bills.findLastIndex((bill) => bill.seq <= seq) + 1)
  }
}
