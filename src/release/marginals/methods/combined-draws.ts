import { add, type Rational, subtract, toNumber, zero } from '../../../numeric/index.ts'
import { answerSize, type Integers } from '../../../query/index.ts'
import type { Bought, Draws } from '../../meter.ts'
import { unlessGuarded } from '../guarded.ts'
import type { MeasuredMarginal } from '../method.ts'
import type { MarginalsContext } from '../request.ts'
import type { SettledRequest } from '../settled-request.ts'
import { priceOf } from '../share.ts'
import { Combination } from './combination.ts'

/** Marginals that are answered again and again, every answer with noise of its own and combined with those before it. */
export class CombinedDraws<Receipt extends Bought> {
  readonly #request: SettledRequest
  readonly #draws: Draws<Receipt>
  readonly #combined: readonly Combination[]
  readonly #spent: Rational[]
  readonly #heldBack = new Set<number>()
  /** Of the price. Every record is in every marginal, so prices add up. */
  left: Rational

  static async open<Receipt extends Bought>(
    request: SettledRequest,
    { meter, universe }: Pick<MarginalsContext<Receipt>, 'meter' | 'universe'>,
  ): Promise<CombinedDraws<Receipt>> {
    const { queries, noise, price } = request
    const cells = queries.map((query) => answerSize(query, universe))
    return new CombinedDraws(request, await meter.openDraws({ queries, ...noise.held(price) }), cells)
  }
  private constructor(request: SettledRequest, draws: Draws<Receipt>, cells: readonly number[]) {
    this.#request = request
    this.#draws = draws
    this.#combined = cells.map((count) => new Combination(count))
    this.#spent = cells.map(() => zero)
    this.left = request.price
  }

  /** The best estimate from all answers to a query so far. */
  values(query: number): Float64Array {
    return this.#combined[query]!.values
  }
  price(query: number, noise: Rational): Rational {
    return priceOf(this.#request.unitNoises[query]!, noise)
  }
  draw(query: number, noise: Rational): Integers {
    const { noise: kind } = this.#request
    const answer = this.#draws.draw(kind.draw(query, noise))
    const price = this.price(query, noise)
    this.#combined[query]!.add(answer, kind.variance(toNumber(noise)))
    this.#spent[query] = add(this.#spent[query]!, price)
    this.left = subtract(this.left, price)
    return answer
  }
  /** Whether it was drawn: where a guard says no, the query keeps the noise it has. */
  drawUnlessGuarded(query: number, noise: Rational): boolean {
    if (unlessGuarded(() => this.draw(query, noise))) return true
    this.#heldBack.add(query)
    return false
  }
  close(): Promise<Receipt> {
    return this.#draws.close()
  }

  marginals(): MeasuredMarginal[] {
    const { noise: kind } = this.#request
    return this.#request.queries.map((query, j) => ({
      attributes: this.#request.marginals[j]!,
      query,
      values: this.#combined[j]!.values,
      scale: kind.scale(kind.ofVariance(this.#combined[j]!.variance)),
      variance: this.#combined[j]!.variance,
      price: toNumber(this.#spent[j]!),
      heldBack: this.#heldBack.has(j),
    }))
  }
}
