import type { Key } from '../query/index.ts'
import type { Threshold } from './column/threshold.ts'
import type { Cost } from './price/cost.ts'

/**
 * A noisy number and where the exact one lies: within `interval` with the stated confidence. A null estimate is SQL's
 * NULL (a ratio over no records), or unknown: its interval is the whole possible range. A null end of the interval
 * means no bound.
 */
export interface Estimate {
  readonly estimate: number | null
  readonly interval: readonly [number | null, number | null]
  /** The larger of the distances from the estimate to the ends of the interval; null when there is none. */
  readonly within: number | null
  /** For a quantile of dates: the dates. The numbers above are days, months or years since 1970, depending on the policy. */
  readonly dates?: { readonly estimate: string | null; readonly interval: readonly [string | null, string | null] }
  /** With `always`: what `within` would be for this answer alone. */
  readonly withinAlone?: number | null
  /** The probability of the claim in `probability`, under a flat prior. */
  readonly probability?: number
  /** Given the noisy answers themselves or, if there are too many, only the estimate computed from them. */
  readonly probabilityGiven?: 'answers' | 'estimate'
  /** If the probability was found by simulation: its error bound. */
  readonly probabilityWithin?: number
  /** For ORDER BY … LIMIT 1: the probability that this group is truly the first, given the estimates. */
  readonly probabilityFirst?: number
  /** If it was requested, for a multiple of one count or sum without GROUP BY. */
  readonly density?: Density
}

/** The error distribution around an estimate: the probability of each of the equally wide columns between `from` and `to`. */
export interface Density {
  readonly from: number
  readonly to: number
  readonly masses: readonly number[]
}

/** One row of a GROUP BY. Its interval holds for this row alone, unless the answer is `simultaneous`. */
export interface Group extends Estimate {
  readonly key: { readonly [name: string]: Key }
  /** For a total (ROLLUP, CUBE, GROUPING SETS): the keys that it sums over, which are NULL. */
  readonly all?: readonly string[]
}

/** One column of a SELECT: a number, or with GROUP BY one per group. */
export type ColumnAnswer = { readonly name: string; readonly cost: Cost } & (
  | Estimate
  | { readonly groups: readonly Group[] }
)

/** The price of a part of the question. */
export interface PartReport {
  readonly description: string
  /** At the policy's δ. If that is above 0, parts add up in ρ, not in ε. */
  readonly epsilon: number
  readonly rho?: number
  /** The noise scale, in the data's own units. */
  readonly scale: number
}

/**
 * Where an answer comes from. free: earlier releases, or the policy alone; fresh: a measurement bought for it;
 * combined: such a measurement and the history; refined: an earlier measurement, made more precise.
 */
export type Kind = 'free' | 'fresh' | 'combined' | 'refined'

/** One of the measurements behind a part of the answer. */
export interface MadeOf {
  /** The part of the question, in words. */
  readonly part: string
  /** What was measured, in words. */
  readonly measurement: string
  /** The purchase's number in `history`. */
  readonly purchase: number
  /** Σ |coefficient| over its noisy numbers: 1 if its one number is used unchanged. Averaged over groups. */
  readonly weight: number
  /** Its share of the part's variance; 0 if there is none. Averaged over groups. */
  readonly share: number
}

/** What is common to questions, however their precision or price is given. */
export interface Asked {
  /** The probability that an interval holds the exact number. */
  readonly confidence: number
  /** All intervals hold simultaneously, not each by itself. Always so if noise decides which rows are shown. */
  readonly allWithin?: boolean
  /** All intervals ever given with `always` hold simultaneously, however the questions were chosen. */
  readonly always?: boolean
  readonly probability?: Threshold
  readonly explain?: boolean
  /** The requested number of columns of the density. */
  readonly density?: number
}

interface Common {
  readonly query: string
  readonly confidence: number
  /** Present if all intervals together hold with the confidence. */
  readonly simultaneous?: true
  /** Present if the intervals hold together with all others given with `always` in this epoch, to anybody. */
  readonly always?: true
  /** The names of a GROUP BY's keys, even if no group is shown. */
  readonly keys?: readonly string[]
  readonly kind: Kind
  /** The question's own price. */
  readonly cost: Cost
  /** By how much the amount spent rose: less than the price if other cells have paid more. */
  readonly raised: Cost
  readonly spent: Cost
  readonly left: Cost
  readonly parts: readonly PartReport[]
  /** Present if the allowed price does not buy the requested precision: this is the best that it buys. */
  readonly short?: true
  /** Present if the history was not used, because there are too many groups to combine with it. */
  readonly notConsulted?: true
  /**
   * Present if the answers behind the numbers disagree more than noise explains, in any group: the probability that
   * noise alone makes them disagree so much, below one in a thousand.
   */
  readonly disagreement?: number
  /** What the intervals leave out, in words. */
  readonly notes?: readonly string[]
  /** Present if an explanation was requested. */
  readonly madeOf?: readonly MadeOf[]
  /** `ledger verify --receipt` shows whether a ledger is a continuation of the one that gave it. */
  readonly receipt: string
}
/** The names of `ask --json`. Several aggregates come as `answers`. */
export type Answer = Common & (ColumnAnswer | { readonly answers: readonly ColumnAnswer[] })

/** `ask --plan`: what it would cost and how precise it would be, without touching the data. */
export interface Plan {
  readonly query: string
  readonly confidence: number
  readonly simultaneous?: true
  readonly kind: Kind
  /** The most that it would cost. */
  readonly cost: Cost
  /** If the price depends on the result of a first purchase: the least… */
  readonly least?: Cost
  /** …and the likely price, if earlier answers determine it well enough. */
  readonly likely?: Cost
  /** For a ratio over an unknown number of records: about what it would cost for 1,000 of them. For n records it is 1,000/n times this. */
  readonly forThousand?: Cost
  /** By how much the amount spent would rise, and whether the budget allows it. */
  readonly raised: Cost
  readonly affordable: boolean
  readonly left: Cost
  readonly parts: readonly (PartReport & { readonly within: number })[]
  /** What the intervals leave out, in words. */
  readonly notes?: readonly string[]
}
