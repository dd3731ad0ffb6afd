import { heldFor } from '../../answer/index.ts'
import type { Rational } from '../../numeric/index.ts'
import {
  allWays,
  checkMarginals,
  containing,
  type Floor,
  type MarginalsRequest,
  type MethodName,
  methodNamed,
  methods,
  parseMarginals,
  type Records,
} from '../../release/index.ts'
import { type Universe, usage } from '../../schema/index.ts'
import type { Held } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { oneOf, ordinary, positive, refuseUnknown, shareOf } from '../options.ts'

/** Which marginals to release (one of ways, of and with) and their price (epsilon, or free). */
export interface MarginalsOptions {
  /** All marginals over this many attributes. */
  readonly ways?: number | string
  /** These: [['age', 'sex'], ['state']], or the text "age,sex; state". */
  readonly of?: string | readonly (readonly string[])[]
  /** This attribute by itself, and with every other one; with `ways`, with every `ways` - 1 others. */
  readonly with?: string
  /** What the whole release costs. With a δ in the policy and Gaussian noise, the release by itself is (ε, δ)-private. */
  readonly epsilon?: number | string
  /** Buys nothing: makes tables that earlier answers determine. */
  readonly free?: boolean
  /** Default: ireduct or, with a δ in the policy, gaussian. */
  readonly method?: MethodName
  /**
   * Errors of counts below the floor are taken relative to it: a number, or a share of all records such as "0.0001n".
   * Default: "0.0001n", but at least 10.
   */
  readonly floor?: number | string
  /** For gaussian and laplace: how the budget is divided among the marginals, [4, 1, 1] or the text "4, 1, 1". Default: equal noise. */
  readonly weights?: string | readonly number[]
  /** For two-phase: the share of ε for a first look. */
  readonly firstShare?: number | string
  /** The share of ε that the number of records is bought with, where it is neither public nor known: 0.02. */
  readonly countShare?: number | string
  /** For a plan: about how many records there are, where that is neither public nor known. */
  readonly records?: number | string
  /** Publish the measured values alone. */
  readonly raw?: boolean
  /** Who asks; required where the policy names analysts. */
  readonly as?: string
  /** Called with a share from 0 to 1, which depends on public values only. */
  readonly progress?: (share: number) => void
  /** When aborted, the release stops at its next step, records what was revealed, and throws `interrupted`. */
  readonly signal?: AbortSignal
}

/** The options, read: which tables to make, and what may be bought for them. */
export interface TablesRequest {
  readonly marginals: readonly (readonly string[])[]
  readonly floor: Floor
  readonly raw: boolean
  /** For a plan: about how many records there are. */
  readonly about?: number
  /** null: nothing is to be bought. */
  readonly purchase: MarginalsPurchase | null
}
/** What to buy; the number of records with it, unless that turns out to be public, known or of no use. */
export type MarginalsPurchase = MarginalsRequest & { readonly records: Extract<Records, { kind: 'bought' }> }

const optionNames: { readonly [K in keyof Required<MarginalsOptions>]: true } = {
  ways: true,
  of: true,
  with: true,
  epsilon: true,
  free: true,
  method: true,
  floor: true,
  weights: true,
  firstShare: true,
  countShare: true,
  records: true,
  raw: true,
  as: true,
  progress: true,
  signal: true,
}

const methodNames = Object.keys(methods) as MethodName[]

/** The universe, and what ε means in it. */
type Terms = Pick<Book, 'universe' | 'cap' | 'terms'>

/** Refuses, before anything is spent, what makes no sense. */
export function readMarginals(options: MarginalsOptions, terms: Terms): TablesRequest {
  refuseUnknown(options, optionNames)
  const { free = false, floor, records, raw = false } = options
  if (free === (options.epsilon !== undefined))
    throw usage('say what the release may cost, or that it must be free', 'For example --epsilon 0.3, or --free.')
  const tables = {
    marginals: chosen(options, terms.universe),
    floor: floor === undefined ? usualFloor : floorOf(floor),
  }
  const purchase = purchaseOf({ ...options, epsilon: options.epsilon ?? 1 }, tables, terms)
  return {
    ...tables,
    raw,
    ...(records !== undefined && {
      about: ordinary(records, 'the number of records', 'About how many there are: 100000, say.'),
    }),
    purchase: free ? null : purchase,
  }
}

function purchaseOf(
  options: MarginalsOptions,
  tables: Pick<TablesRequest, 'marginals' | 'floor'>,
  terms: Terms,
): MarginalsPurchase {
  const { firstShare, weights, countShare = '0.02' } = options
  const method = oneOf('method', options.method ?? (terms.cap.rho === null ? 'ireduct' : 'gaussian'), methodNames)
  const { needs } = methodNamed(method)
  if (firstShare !== undefined && !needs.firstShare) throw usage('a first share only works with the method two-phase')
  if (weights !== undefined && !needs.weights) throw usage('weights only work with the methods gaussian and laplace')
  return {
    ...tables,
    method,
    budget: budgetOf(positive(options.epsilon!, 'ε', 'All marginals share it: 0.3, say.'), method, terms),
    records: { kind: 'bought', share: shareOf(countShare, 'the share for the number of records') },
    ...(firstShare !== undefined && { firstShare: shareOf(firstShare, 'the first share') }),
    ...(weights !== undefined && { weights: weightsOf(weights, tables.marginals.length) }),
  }
}

/** Where ρ counts, it is held for methods that can draw Gaussian noise; the others have Laplace noise and hold ε itself. */
function budgetOf(epsilon: Rational, method: MethodName, terms: Terms): Held {
  const { pays } = methodNamed(method)
  if (terms.cap.rho !== null) return pays.includes('rho') ? heldFor(epsilon, terms) : { epsilon }
  if (pays.includes('epsilon')) return { epsilon }
  throw usage(
    `the method ${method} has Gaussian noise, which needs a δ in the policy`,
    'Use ireduct, laplace or two-phase; or the owner can add delta: 1e-9 beside epsilon, without composition: pure.',
  )
}

function weightsOf(given: string | readonly number[], count: number): number[] {
  const weights = typeof given === 'string' ? given.split(',') : given
  const hint = 'One per marginal, in their order: --weights "4, 1, 1".'
  if (weights.length !== count) throw usage(`there are ${count} marginals, and ${weights.length} weights`, hint)
  return weights.map((weight) => ordinary(typeof weight === 'string' ? weight.trim() : weight, 'a weight', hint))
}

function chosen(options: MarginalsOptions, universe: Universe): readonly (readonly string[])[] {
  const { of, with: attribute } = options
  const ways = options.ways === undefined ? undefined : Number(options.ways)
  const given = [of !== undefined, attribute !== undefined, ways !== undefined && attribute === undefined]
  if (given.filter(Boolean).length !== 1 || (of !== undefined && ways !== undefined))
    throw usage(
      'say which marginals: one of ways, of and with',
      '--ways 2 for all pairs of attributes, --of "age,sex; state" for a list, --with education for all pairs with education.',
    )
  if (attribute !== undefined) return containing(universe, attribute, ways ?? 2)
  if (ways !== undefined) return allWays(universe, ways)
  if (typeof of === 'string') return parseMarginals(of, universe)
  checkMarginals(of!, universe)
  return of!
}

/** A ten-thousandth of all records, but at least so many that a count of them tells nothing about one. */
const usualFloor: Floor = { kind: 'share', share: 0.0001, least: 10 }

function floorOf(floor: number | string): Floor {
  const hint = 'A count such as 30, or a share of all records such as 0.0001n.'
  const share = typeof floor === 'string' ? /^(.*)n\s*$/.exec(floor)?.[1] : undefined
  return share === undefined
    ? { kind: 'count', count: ordinary(floor, 'the floor', hint) }
    : { kind: 'share', share: ordinary(share, 'the floor, as a share of all records,', hint) }
}
