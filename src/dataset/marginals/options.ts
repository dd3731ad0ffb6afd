import { compare, one, type Rational, toNumber } from '../../numeric/index.ts'
import {
  allWays,
  checkMarginals,
  containing,
  type Floor,
  type MethodName,
  methodNamed,
  methods,
  parseMarginals,
} from '../../release/index.ts'
import { nearest, type Universe } from '../../schema/index.ts'
import { positive, refuseUnknown, usage } from '../options.ts'

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
  /** Nothing is bought: tables that the history tells already. */
  readonly free?: boolean
  /** ireduct unless said otherwise. */
  readonly method?: MethodName
  /** Counts below this are judged as if they were so large: a number, or a share of all records such as "0.0001n". */
  readonly floor?: number | string
  /** Of two-phase: the share of ε for a first look. */
  readonly firstShare?: number | string
  /** The share of ε that the number of records is bought with, where it is neither public nor known: 0.02. */
  readonly countShare?: number | string
  /** For a plan: about how many records there are, where that is neither public nor known. */
  readonly records?: number | string
  /** Publish what was measured, and nothing made of it. */
  readonly raw?: boolean
  /** Who asks; required where the policy names analysts. */
  readonly as?: string
  /** Called with a share from 0 to 1; by public values alone. */
  readonly progress?: (share: number) => void
  /** When aborted, the release stops at its next step, records what was shown, and throws `interrupted`. */
  readonly signal?: AbortSignal
}

/** The options, understood. */
export interface MarginalsChoice {
  readonly marginals: readonly (readonly string[])[]
  /** null: nothing is to be bought. */
  readonly epsilon: Rational | null
  readonly method: MethodName
  readonly floor: Floor
  readonly firstShare?: Rational
  readonly countShare: Rational
  readonly records?: number
  readonly raw: boolean
}

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
export function readMarginals(options: MarginalsOptions, universe: Universe): MarginalsChoice {
  refuseUnknown(options, optionNames)
  const { free = false, method = 'ireduct', floor = '0.0001n', firstShare, countShare = '0.02', records } = options
  if (free === (options.epsilon !== undefined))
    throw usage('say what the release may cost, or that it must be free', 'For example --epsilon 0.3, or --free.')
  if (!Object.hasOwn(methods, method)) {
    const meant = nearest(method, Object.keys(methods))
    throw usage(
      `there is no method ${JSON.stringify(method)}${meant ? `; did you mean ${meant}?` : ''}`,
      `There are ${Object.keys(methods).join(', ')}.`,
    )
  }
  if (firstShare !== undefined && !methodNamed(method).needs.firstShare)
    throw usage('a first share goes with the method two-phase')
  return {
    marginals: chosen(options, universe),
    epsilon: free ? null : positive(options.epsilon!, 'ε', 'All marginals share it: 0.3, say.'),
    method,
    floor: floorOf(floor),
    ...(firstShare !== undefined && { firstShare: shareOf(firstShare, 'the first share') }),
    countShare: shareOf(countShare, 'the share for the number of records'),
    ...(records !== undefined && {
      records: ordinary(records, 'the number of records', 'About how many there are: 100000, say.'),
    }),
    raw: options.raw ?? false,
  }
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

/** Beyond this range the products of errors and scales that releases reckon with overflow. */
const [least, most] = [1e-15, 1e15]

function ordinary(given: number | string, what: string, hint: string): number {
  const value = toNumber(positive(given, what, hint))
  if (value >= least && value <= most) return value
  throw usage(`${what} must lie between 10^-15 and 10^15, not at ${JSON.stringify(given)}`, hint)
}

function shareOf(given: number | string, what: string): Rational {
  const share = positive(given, what, '0.02 is a fiftieth.')
  if (compare(share, one) >= 0) throw usage(`${what} must be below 1`)
  return share
}
