import { divide, rational } from '../../numeric/index.ts'
import {
  answerStarts,
  type Integers,
  isInNoiseRange,
  type NoiseLaw,
  noiseRangeText,
  type QueryList,
} from '../../query/index.ts'
import {
  addUnits,
  type Charge,
  type DistanceSensitivities,
  isAnswer,
  type MeasurementCharge,
  type Units,
} from '../accounting/index.ts'
import type { ExactAnswers } from '../exact/index.ts'
import { frozen, type Head, type Sold } from '../ledger/index.ts'
import { addNoise, noisyDistance, selectFurthest, ToldModel } from '../mechanism/index.ts'
import type { Draw, Draws, ScoreRequest } from './draws.ts'
import { approveAll, type Parts, sameEpoch } from './reserve.ts'
import { type Closing, recordRun } from './run.ts'
import type { Reservation } from './run-cost.ts'
import {
  type Copies,
  type ModelAnswers,
  readAnswers,
  readModel,
  readSelection,
  type SelectionRequest,
} from './selection.ts'

/** What a run without a grid is made of. */
interface Opened {
  readonly head: Head
  readonly exact: ExactAnswers<Integers>
  readonly queries: QueryList
  readonly moved: DistanceSensitivities
  readonly reservation: Reservation
  /** Whether all answers that the run may ever give were approved when it was opened. */
  readonly approved: boolean
  readonly holdsRho: boolean
  readonly parts: Parts
}

type RunLaw = Exclude<NoiseLaw, { kind: 'none' }>

/**
 * Sells answers, choices and distances: checks, asks the guards, charges, then draws. Everything that a caller passes
 * in is read only once.
 */
export class OpenDraws implements Draws {
  readonly head: Head
  readonly #opened: Opened
  /** The offset of each query's answers when all are concatenated, and the end of the last ones. */
  readonly #starts: Float64Array
  readonly #charges: Charge[] = []
  readonly #sold: Sold[] = []
  readonly #values: Integers[] = []
  /** The sum of the charges' own prices: often this bound is enough. */
  #sum: Units = 0
  #closed = false
  #copies: Copies | undefined
  #toldModel: ToldModel | undefined

  constructor(opened: Opened) {
    this.head = { seq: opened.head.seq, hash: opened.head.hash }
    this.#opened = opened
    this.#starts = answerStarts(opened.queries, opened.parts.book.universe)
  }

  allows(draws: readonly Draw[]): boolean {
    const charges: MeasurementCharge[] = []
    let prices: Units = 0
    for (const { query, ...noise } of draws) {
      const law = this.#lawOf(noise)
      if (!law || !this.#isPossible(query, law)) return false
      charges.push(this.#chargeOf(query, law))
      prices = addUnits(prices, this.#priceOf(query, law))
    }
    return this.#affords(prices, charges)
  }

  draw({ query, scale, variance }: Draw): Integers {
    // Exactly what is checked is charged, drawn and recorded, whatever the caller does to its objects.
    const law = this.#lawOf({ scale, variance } as Partial<Draw>)
    this.#requireOpen()
    if (!law || !this.#isPossible(query, law))
      throw new RangeError(`a draw names one of the queries, and a scale ${noiseRangeText}`)
    const charge = this.#chargeOf(query, law)
    const sold = { query: charge.query, law }
    const tell = () => addNoise(this.#opened.exact.at(query)!, law)
    return this.#sell({ charge, price: this.#priceOf(query, law), sold }, tell).slice()
  }

  tell(model: ModelAnswers): void {
    const copies = this.#takeCopies()
    const { places, answers } = readAnswers(model, this.#starts, copies)
    this.#requireOpen()
    this.#told().tell(places, answers)
    this.#copies = copies
  }

  select(selection: SelectionRequest): number {
    const copies = this.#takeCopies()
    const { candidates, epsilon, model, ...read } = readSelection(selection, this.#starts, copies)
    this.#requireOpen()
    const { exact, moved, reservation } = this.#opened
    if (!model && !this.#told().covers(candidates)) throw new RangeError('a selection needs a model of its candidates')
    const sensitivity = moved.most(candidates, read.weights)
    // If no record can change any score, the choice is free, whatever the rate.
    const rate = divide(epsilon, rational(2n * (sensitivity || 1n)))
    const charge = { kind: 'selection', rate, sensitivity } as const
    const weights = read.weights ? [...read.weights] : null
    const sold = { kind: 'selection', candidates, weights, rate } as const
    const choose = () =>
      model ? selectFurthest({ ...read, exact, candidates, model }, rate) : this.#told().select(candidates, read, rate)
    const [chosen] = this.#sell({ charge, price: reservation.price(charge), sold }, () => Float64Array.of(choose()))
    this.#copies = copies
    return Number(chosen)
  }

  score({ query, scale, variance, model }: ScoreRequest): number | bigint {
    const law = this.#lawOf({ scale, variance } as Partial<Draw>)
    if (!law || !this.#isPossible(query, law))
      throw new RangeError(`a score names one of the queries, and a scale ${noiseRangeText}`)
    const answers = readModel(model, this.#starts[query + 1]! - this.#starts[query]!)
    this.#requireOpen()
    const { exact, moved, reservation } = this.#opened
    const charge = { kind: 'score', law, sensitivity: moved.of(query) } as const
    const sold = { kind: 'score', query, law } as const
    const price = reservation.price(charge)
    return this.#sell({ charge, price, sold }, () => noisyDistance(exact.at(query)!, answers, law))[0]!
  }

  async close(): Promise<Closing> {
    if (this.#closed) throw new RangeError('the draws are closed')
    this.#closed = true
    return recordRun(this.head.seq, this.#sold, this.#values, this.#opened.parts)
  }

  #sell({ charge, price, sold }: { charge: Charge; price: Units; sold: Sold }, tell: () => Integers): Integers {
    const { reservation, approved, parts } = this.#opened
    frozen(charge)
    if (!this.#affords(price, [charge])) throw reservation.exceeded()
    // Closed while this is in progress, as for a run.
    this.#closed = true
    try {
      if (parts.approve !== approveAll && !(approved && isAnswer(charge)))
        parts.approve([...this.#charges, charge], this.head.seq)
    } catch (error) {
      this.#closed = false
      throw error
    }
    this.#sum = addUnits(this.#sum, price)
    this.#charges.push(charge)
    this.#sold.push(sold)
    const values = tell()
    this.#values.push(values)
    this.#closed = false
    return values
  }

  /** Put back once it has been used: whoever asks for something else while what they ask for is read gets another place. */
  #takeCopies(): Copies {
    const queries = this.#starts.length - 1
    const free = this.#copies
    this.#copies = undefined
    return free ?? { model: new Float64Array(this.#starts[queries]!), penalties: new Float64Array(queries) }
  }
  #told(): ToldModel {
    this.#toldModel ??= new ToldModel(this.#opened.exact, this.#starts)
    return this.#toldModel
  }
  #requireOpen(): void {
    if (this.#closed) throw new RangeError('the draws are closed')
    sameEpoch(this.#opened.parts)
  }
  #affords(prices: Units, charges: readonly Charge[]): boolean {
    const { reservation } = this.#opened
    return addUnits(this.#sum, prices) <= reservation.units || reservation.covers([...this.#charges, ...charges])
  }
  #priceOf(query: number, law: RunLaw): Units {
    return this.#opened.reservation.priceOfAnswer(query, law.kind === 'laplace' ? law.scale : law.variance)
  }
  /** Of its own; undefined where the noise is not of the kind that the run sells. */
  #lawOf({ scale, variance }: Partial<Draw>): RunLaw | undefined {
    if (this.#opened.holdsRho)
      return variance && !scale ? { kind: 'gaussian', variance: rational(variance.num, variance.den) } : undefined
    return scale && !variance ? { kind: 'laplace', scale: rational(scale.num, scale.den) } : undefined
  }
  #isPossible(query: number, law: NoiseLaw | undefined): boolean {
    const isThere = Number.isInteger(query) && query >= 0 && query < this.#starts.length - 1
    return isThere && law !== undefined && isInNoiseRange(law)
  }
  #chargeOf(query: number, law: NoiseLaw): MeasurementCharge {
    return { kind: 'measurement', query: this.#opened.queries.at(query)!, law }
  }
}
