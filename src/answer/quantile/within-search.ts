import { errorLawByCharacteristic } from '../../inference/index.ts'
import { fromNumber, toNumber } from '../../numeric/index.ts'
import { answerSize, type LinearQuery, type NoiseLaw, noiseVariance } from '../../query/index.ts'
import { noiseOf } from '../known/known-part.ts'
import { dwarfedBelow } from '../price/dwarfed.ts'
import { sellable } from '../price/range.ts'
import { type Member, rangeCounts } from './family.ts'
import { sizeOf } from './kept.ts'
import { cutsFor } from './layout.ts'
import type { Count, Ground, Search } from './search.ts'

/** How near a quantile must be, and with what doubt. */
interface Wanted {
  within(member: Member): number
  doubt(member: Member): number
}

/** Shares of the doubt, by the purpose of a step. A look says where to go on; a try is meant to be enough. */
const looks = 0.1
const tries = { first: 0.7, withHistory: 0.4, later: 0.3 }
/** A step costs at most this multiple of all steps before it: `look`, or `again` after a try that was not enough. */
const growth = { look: 2, again: 1 }
/** A step has at most this many times the noise of the last: a step that costs next to nothing says next to nothing. */
const noisiest = 2
/** A step is planned for this fraction of the margin, because estimates of how steeply counts rise are rough. */
const reach = 0.75

/** If all remaining groups are hidden by noise and this many times smaller than the others, the search ends. */
const small = 3

/** As cheap as a precision allows: looks with less and less noise, until they show how much noise is small enough. */
export class WithinSearch implements Search {
  readonly ground: Ground
  readonly #wanted: Wanted
  readonly #start: (query: LinearQuery) => NoiseLaw
  #looks = 0
  #tries = 0
  readonly #hadHistory: boolean
  /** Whether what is planned is meant to be enough. */
  #isTry = false
  /** Tries that were not enough. */
  #failed = 0
  #last: NoiseLaw | undefined
  /** The sum of the inverse noises of all steps: what they cost, up to a factor. */
  #precision = 0
  #planned: Count | undefined

  /** `start` is the noise of the first look. */
  constructor(ground: Ground, wanted: Wanted, start: (query: LinearQuery) => NoiseLaw) {
    this.ground = ground
    this.#wanted = wanted
    this.#start = start
    this.#hadHistory = ground.hasEvidence
    if (this.#hadHistory) {
      ground.narrow(wanted.doubt, tries.withHistory)
      this.#tries = 1
    }
  }

  within(member: Member): number {
    return this.#wanted.within(member)
  }

  next(): Count | undefined {
    const open = this.#open()
    if (open.length === 0) return undefined
    this.#planned ??= this.#plan(open)
    return this.#planned
  }

  learn(): void {
    const { ground } = this
    this.#last = this.#planned!.law
    this.#precision += 1 / Math.sqrt(noiseVariance(this.#last))
    this.#planned = undefined
    ground.reread()
    ground.narrow(this.#wanted.doubt, this.#isTry ? this.#shareOfTry() : looks / 2 ** (this.#looks + 1))
    if (this.#isTry) {
      this.#tries++
      this.#failed++
    } else this.#looks++
  }

  /** The first gets the most; all together at most 1 - looks. */
  #shareOfTry(): number {
    if (this.#tries === 0) return tries.first
    if (this.#tries === 1) return this.#hadHistory ? tries.later : 0.1
    return 0.1 / 2 ** (this.#tries - 1)
  }

  /** Whether groups are left less precise than was asked for, since the others dwarf them. */
  get hasDwarfed(): boolean {
    return this.#unknown().length > 0
  }

  /** Targets that are not as precise as requested, could be, and are worth it. */
  #open(): number[] {
    const unknown = this.#unknown()
    if (unknown.length === 0) return unknown
    const isForSmall = unknown.every((i) => !this.#isClear(i) && this.#isDwarfed(i, small))
    return isForSmall ? [] : unknown.filter((i) => !this.#isDwarfed(i))
  }

  #unknown(): number[] {
    const { targets, spans, scale } = this.ground
    return targets.flatMap(({ member }, i) => {
      const span = spans[i]!
      const isEnough = scale.greatest(span.upTo) - scale.least(span.after + 1) <= 2 * this.within(member)
      return isEnough || sizeOf(span) <= 1 ? [] : [i]
    })
  }

  /** Whether a target's group is too small beside the others: the NULL group is often empty, and has no median at any price. */
  #isDwarfed(i: number, times?: number): boolean {
    const { targets, sizes } = this.ground
    const { size, off } = sizes[targets[i]!.group]!
    return size + off < dwarfedBelow(sizes, times)
  }

  /** Whether its group certainly has records. */
  #isClear(i: number): boolean {
    const { targets, sizes } = this.ground
    const { size, off } = sizes[targets[i]!.group]!
    return size > off
  }

  #plan(open: readonly number[]): Count {
    const { family, spans, targets } = this.ground
    const finest = Math.min(...open.map((i) => this.ground.codesIn(spans[i]!, this.within(targets[i]!.member))))
    const cuts = cutsFor(
      open.map((i) => spans[i]!),
      family.from,
      family.to,
      Math.max(1, Math.floor(finest / 3)),
    )
    const query = rangeCounts(family, cuts)
    return { query, law: sellable(this.#lawFor(query, open), this.ground.session.book) }
  }

  #lawFor(query: LinearQuery, open: readonly number[]): NoiseLaw {
    const last = this.#last ?? this.#start(query)
    // How much noise an empty group needs is unknown; it does not make the others more expensive.
    const clear = open.filter((i) => this.#isClear(i))
    const needs = (clear.length > 0 ? clear : open).map((i) => this.#noiseFor(query, i, last))
    if (this.#last === undefined) return last
    const finest = 1 / ((this.#failed > 0 ? growth.again : growth.look) * this.#precision)
    const need = needs.every((one) => one !== undefined) ? Math.min(...needs) : 0
    this.#isTry = need >= finest
    return withDeviation(last, Math.min(noisiest * Math.sqrt(noiseVariance(last)), Math.max(need, finest)))
  }

  /** The noise of a range's count with which the target would be known well enough; undefined if that is unknown. */
  #noiseFor(query: LinearQuery, i: number, last: NoiseLaw): number | undefined {
    const { ground } = this
    const { member } = ground.targets[i]!
    const known = ground.marginAt(i, this.within(member))
    if (!known || !(known.margin > 0)) return undefined
    const ranges =
      answerSize(query, ground.session.book.universe) / answerSize(ground.family.records, ground.session.book.universe)
    const share = toNumber(member.quantile.share)
    // About half of the ranges lie on either side.
    const [noise] = noiseOf({ query, law: last })
    const below = Math.max(1, Math.round(ranges / 2))
    const errorLaw = errorLawByCharacteristic([
      { ...noise!, coefficient: (1 - share) * noise!.coefficient, count: below },
      { ...noise!, coefficient: share * noise!.coefficient, count: below },
    ])
    const doubt = this.#wanted.doubt(member) * this.#shareOfTry()
    const deviations = errorLaw.halfWidth(1 - doubt) / Math.sqrt(errorLaw.variance)
    // If the last try was not enough, this one must be clearly more precise.
    const goal = (reach ** (1 + this.#failed) * known.margin) / deviations
    // Precisions add up.
    const missing = 1 / goal ** 2 - 1 / known.deviation ** 2
    const perRange = Math.sqrt(errorLaw.variance / noiseVariance(last))
    const enough = missing > 0 ? 1 / Math.sqrt(missing) / perRange : Number.POSITIVE_INFINITY
    return this.#failed > 0 ? Math.min(enough, Math.sqrt(noiseVariance(last))) : enough
  }
}

/** A law of the same kind with this standard deviation, nearly. */
function withDeviation(law: NoiseLaw, deviation: number): NoiseLaw {
  const rounded = (x: number) => fromNumber(Number(x.toPrecision(6)))
  if (law.kind === 'gaussian') return { kind: 'gaussian', variance: rounded(deviation ** 2) }
  return { kind: 'laplace', scale: rounded(deviation / Math.SQRT2) }
}
