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
import { suggesting, type Universe, usage } from '../../schema/index.ts'
import { ordinary, positive, refuseUnknown, shareOf } from '../options.ts'

/** Which marginals to release, and what for: one of ways, of and with; and epsilon, or free. */
export interface MarginalsOptions {
  /** All marginals over so many attributes. */
  readonly ways?: number | string
  /** These: [['age', 'sex'], ['state']], or the text "age,sex; state". */
  readonly of?: string | readonly (readonly string[])[]
  /** This attribute by itself, and with every other: with every `ways` - 1 others, where ways is said too. */
  readonly with?: string
  /** What the whole release costs. */
  readonly epsilon?: number | string
  /** Nothing is bought: tables that earlier answers determine. */
  readonly free?: boolean
  /** ireduct unless said otherwise. */
  readonly method?: MethodName
  /** The error of a smaller count is taken relative to this: a number, or a share of all records such as "0.0001n". */
  readonly floor?: number | string
  /** Of two-phase: the share of ε for a first look. */
  readonly firstShare?: number | string
  /** The share of ε that the number of records is bought with, where it is neither public nor known: 0.02. */
  readonly countShare?: number | string
  /** For a plan: about how many records there are, where that is neither public nor known. */
  readonly records?: number | string
  /** Publish the measured values alone. */
  readonly raw?: boolean
  /** Who asks; required where the policy names analysts. */
  readonly as?: string
  /** Called with a share from 0 to 1; by public values alone. */
  readonly progress?: (share: number) => void
  /** When aborted, the release stops at its next step, records what was shown, and throws `interrupted`. */
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
  readonly purchase: Purchase | null
}
/** What to buy; the number of records with it, unless that turns out to be public, known or of no use. */
export type Purchase = MarginalsRequest & { readonly records: Extract<Records, { kind: 'bought' }> }

const optionNames: { readonly [K in keyof Required<MarginalsOptions>]: true } = {
  ways: true,
  of: true,
  with: true,
  epsilon: true,
  free: true,
  method: true,
  floor: true,
  firstShare: true,
  countShare: true,
  records: true,
  raw: true,
  as: true,
  progress: true,
  signal: true,
}

/** Refuses, before anything is spent, what makes no sense. */
export function readMarginals(options: MarginalsOptions, universe: Universe): TablesRequest {
  refuseUnknown(options, optionNames)
  const { free = false, floor = '0.0001n', records, raw = false } = options
  if (free === (options.epsilon !== undefined))
    throw usage('say what the release may cost, or that it must be free', 'For example --epsilon 0.3, or --free.')
  const tables = { marginals: chosen(options, universe), floor: floorOf(floor) }
  const purchase = purchaseOf({ ...options, epsilon: options.epsilon ?? 1 }, tables)
  return {
    ...tables,
    raw,
    ...(records !== undefined && {
      about: ordinary(records, 'the number of records', 'About how many there are: 100000, say.'),
    }),
    purchase: free ? null : purchase,
  }
}

function purchaseOf(options: MarginalsOptions, tables: Pick<TablesRequest, 'marginals' | 'floor'>): Purchase {
  const { firstShare, countShare = '0.02' } = options
  const method = methodOf(options.method ?? 'ireduct')
  if (firstShare !== undefined && !methodNamed(method).needs.firstShare)
    throw usage('a first share goes with the method two-phase')
  return {
    ...tables,
    method,
    epsilon: positive(options.epsilon!, 'ε', 'All marginals share it: 0.3, say.'),
    records: { kind: 'bought', share: shareOf(countShare, 'the share for the number of records') },
    ...(firstShare !== undefined && { firstShare: shareOf(firstShare, 'the first share') }),
  }
}

function methodOf(name: string): MethodName {
  if (Object.hasOwn(methods, name)) return name as MethodName
  const names = Object.keys(methods)
  throw usage(`there is no method ${suggesting(name, names)}`, `There are ${names.join(', ')}.`)
}

function chosen(options: MarginalsOptions, universe: Universe): readonly (readonly string[])[] {
  const { of, with: attribute } = options
  const ways = options.ways === undefined ? undefined : Number(options.ways)
  const given = [of !== undefined, attribute !== undefined, ways !== undefined && attribute === undefined]
  if (given.filter(Boolean).length !== 1 || (of !== undefined && ways !== undefined))
    throw usage(
      'say which marginals: one of ways, of and with',
      '--ways 2 for all pairs of attributes, --of "age,sex; state" for these, --with education for what it goes with.',
    )
  if (attribute !== undefined) return containing(universe, attribute, ways ?? 2)
  if (ways !== undefined) return allWays(universe, ways)
  if (typeof of === 'string') return parseMarginals(of, universe)
  checkMarginals(of!, universe)
  return of!
}

function floorOf(floor: number | string): Floor {
  const hint = 'A count such as 30, or a share of all records such as 0.0001n.'
  const share = typeof floor === 'string' ? /^(.*)n\s*$/.exec(floor)?.[1] : undefined
  return share === undefined
    ? { kind: 'count', count: ordinary(floor, 'the floor', hint) }
    : { kind: 'share', share: ordinary(share, 'the floor, as a share of all records,', hint) }
}
