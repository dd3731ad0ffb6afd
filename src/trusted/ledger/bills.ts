import { addSpending, type Charge, priceInBoth, type Spending, type Terms, zeroSpending } from '../accounting/index.ts'

/**
 * The purchases of one epoch as they were paid for, to be added up at their own prices. No record has paid more than
 * that for them, whatever comes before or after. Priced when it is asked for: prices take time, and few are.
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
    const first = this.#bills.findLastIndex((bill) => bill.seq <= seq) + 1
    return this.#bills
      .slice(first)
      .flatMap(({ charges, held }) => [held, ...charges.map((charge) => priceInBoth(charge, this.#terms))])
      .reduce(addSpending, zeroSpending)
  }
}
