import type { SeededBits } from '../../src/evaluation/index.ts'
import {
  add,
  ceil,
  compare,
  divide,
  multiply,
  type Rational,
  rational,
  toNumber,
  zero,
} from '../../src/numeric/index.ts'
import { type Grid, type LinearQuery, type Measurement, scaleAt } from '../../src/query/index.ts'
import type { Bought, Draw, Draws, DrawsRequest, Meter, Purchase, Run } from '../../src/release/meter.ts'

const notSold = () => {
  throw new RangeError('only answers are sold here')
}

/** Doubles instead of exact draws: the law is right to 15 digits, which no test here can tell. */
export function laplaceDraw(scale: number, random: SeededBits): number {
  const geometric = () => Math.floor(-Math.log(1 - random.uniform()) * scale)
  return geometric() - geometric()
}

/**
 * A meter without ledger or privacy, in its most obvious form: the noise of every cell is drawn at every level of the
 * grid, one after the other, and every price is added up as a fraction. `bought` tells what it cost.
 */
export class SteppedMeter implements Meter {
  readonly bought: Purchase[] = []
  /** What was asked for, in order. */
  readonly log: string[] = []
  readonly #exact: (query: LinearQuery) => ArrayLike<number>
  readonly #unitScale: (query: LinearQuery) => Rational
  readonly #random: SeededBits

  constructor(
    exact: (query: LinearQuery) => ArrayLike<number>,
    unitScale: (query: LinearQuery) => Rational,
    random: SeededBits,
  ) {
    this.#exact = exact
    this.#unitScale = unitScale
    this.#random = random
  }

  async measure(purchases: readonly Purchase[]): Promise<Bought> {
    this.log.push('measure')
    return this.#record(
      purchases,
      purchases.map(({ query, law }) => this.#draw(query, law.kind === 'laplace' ? law.scale : zero)),
    )
  }

  /** Sells answers with Laplace noise alone. */
  async openDraws({ queries, epsilon }: DrawsRequest): Promise<Draws> {
    if (!epsilon) throw new RangeError('only ε is sold here')
    this.log.push('draws')
    const drawn: Purchase[] = []
    const answers: Float64Array[] = []
    const purchase = ({ query, scale }: Draw): Purchase => ({
      query: queries.at(query)!,
      law: { kind: 'laplace', scale: scale! },
    })
    const allows = (draws: readonly Draw[]) => compare(this.cost([...drawn, ...draws.map(purchase)]), epsilon) <= 0
    return {
      allows,
      draw: (draw: Draw) => {
        if (!allows([draw])) throw new RangeError('beyond what was reserved')
        drawn.push(purchase(draw))
        answers.push(this.#draw(queries.at(draw.query)!, draw.scale!))
        return answers.at(-1)!.slice()
      },
      tell: notSold,
      select: notSold,
      score: notSold,
      close: async () => this.#record(drawn, answers),
    }
  }

  async openRun({ queries, grid, epsilon }: { queries: readonly LinearQuery[]; grid: Grid; epsilon: Rational }) {
    this.log.push('run')
    const paths = queries.map((query) => this.#path(query, grid))
    const levels = queries.map(() => 0)
    const purchases = (at: readonly number[]): Purchase[] =>
      queries.map((query, j) => ({ query, law: { kind: 'laplace', scale: scaleAt(grid, at[j]!) } }))
    const allows = (query: number, level: number) =>
      level >= levels[query]! &&
      level < grid.count &&
      compare(this.cost(purchases(levels.with(query, level))), epsilon) <= 0
    if (!allows(0, 0)) throw new RangeError('beyond what was reserved')
    const run: Run = {
      values: (query) => paths[query]![levels[query]!]!.slice(),
      level: (query) => levels[query]!,
      allows,
      lower: (query, level, stop) => {
        if (!allows(query, level)) throw new RangeError('beyond what was reserved')
        const before = paths[query]![levels[query]!]!
        const changed = () => [...before.keys()].filter((i) => before[i] !== paths[query]![levels[query]!]![i])
        while (levels[query]! < level && !(stop && changed().length > 0)) levels[query]!++
        const cells = Int32Array.from(changed())
        const now = paths[query]![levels[query]!]!
        return { level: levels[query]!, count: cells.length, cells, values: Float64Array.from(cells, (i) => now[i]!) }
      },
      close: async () =>
        this.#record(
          purchases(levels),
          queries.map((_, j) => paths[j]![levels[j]!]!),
        ),
    }
    return run
  }

  /** As the meter charges: each price rounded up to 10^-12. */
  cost(purchases: readonly Purchase[] = this.bought): Rational {
    const perOne = rational(10n ** 12n)
    const price = ({ query, law }: Purchase) =>
      law.kind === 'laplace' ? ceil(multiply(divide(this.#unitScale(query), law.scale), perOne)) : 0n
    return purchases.map(price).reduce((sum, units) => add(sum, divide(rational(units), perOne)), zero)
  }

  /** The answers at every level, the first having the most noise: Y = Y' + V, from the lowest scale up. */
  #path(query: LinearQuery, grid: Grid): Float64Array[] {
    const scales = Array.from({ length: grid.count }, (_, level) => toNumber(scaleAt(grid, level)))
    const answers: Float64Array[] = [this.#draw(query, scaleAt(grid, grid.count - 1))]
    for (let level = grid.count - 2; level >= 0; level--) {
      const stays = (Math.sinh(0.5 / scales[level]!) / Math.sinh(0.5 / scales[level + 1]!)) ** 2
      const above = (value: number) =>
        this.#random.uniform() < stays ? value : value + laplaceDraw(scales[level]!, this.#random)
      answers.unshift(answers[0]!.map(above))
    }
    return answers
  }
  #draw(query: LinearQuery, scale: Rational): Float64Array {
    const b = toNumber(scale)
    return Float64Array.from(this.#exact(query), (count) => count + laplaceDraw(b, this.#random))
  }
  #record(purchases: readonly Purchase[], answers: readonly Float64Array[]): Bought {
    const start = this.bought.length
    this.bought.push(...purchases)
    const measurements = purchases.map(
      ({ query, law }, i): Measurement => ({ id: String(start + i), query, law, values: answers[i]! }),
    )
    return { measurements }
  }
}
