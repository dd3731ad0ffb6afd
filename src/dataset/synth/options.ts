import type { Sampling } from '../../model/index.ts'
import type { Rational } from '../../numeric/index.ts'
import {
  defaultMethod,
  type SynthMethodName,
  type SynthProgress,
  synthMethodNamed,
  synthMethods,
} from '../../release/index.ts'
import { type Policy, usage } from '../../schema/index.ts'
import { oneOf, ordinary, positive, refuseUnknown, shareOf } from '../options.ts'
import { maxentOptions } from './maxent-options.ts'
import { mwemOptions } from './mwem-options.ts'

/** How to make a synthetic table, and its price. */
export interface SynthOptions {
  /** What all measurements cost together. */
  readonly epsilon: number | string
  /** Default: chosen by the size of the table's universe. */
  readonly method?: SynthMethodName
  /**
   * The workload that the table should answer well, which guides "pairs", "mwem" and "factored": "2-way" (default) for
   * all tables over two attributes, "ranges:1000" for 1,000 random ranges, "parities:3" for binary data; or a list of
   * SQL statements.
   */
  readonly queries?: string | readonly string[]
  /** The number of rounds of "mwem" or "factored", or "adaptive". Default: derived from public numbers. */
  readonly rounds?: number | string
  /** The share of ε for counts of all cells, which "mwem" starts from. Default: derived from public numbers. */
  readonly startShare?: number | string
  /**
   * How the model is fitted: "once" makes one step for every answer, "replay" repeats steps until it agrees with all of
   * them, "smooth" finds the most likely table, assuming that interactions of many attributes are small. Default:
   * depends on the table.
   */
  readonly fitting?: string
  /** Which model is used: the "last" one, or the "average" of those before each round, as in the paper's theorem. */
  readonly output?: string
  /** For maxent: buy all marginals over this many attributes, 2 by default. */
  readonly ways?: number | string
  /** For maxent: the method of `release marginals` that buys them; equal noise by default. */
  readonly marginals?: string
  /** For maxent: the share of ε for all one-way marginals, which its prior is made from. Default: none are bought for it. */
  readonly priorShare?: number | string
  /** The number of records. Default: about as many as the private table has. */
  readonly rows?: number | string
  /** "rounded" (default): counts are the model's, rounded to whole numbers. "independent": each record drawn independently. */
  readonly sampling?: string
  /** The price of a noisy quality score of the finished table, in addition to epsilon. Default: none is bought. */
  readonly check?: number | string
  /** The share of ε that the number of records is bought with, where it is neither public nor known: 0.02. */
  readonly countShare?: number | string
  /** For a plan: about how many records there are, where that is neither public nor known. */
  readonly records?: number | string
  /** Who asks; required where the policy names analysts. */
  readonly as?: string
  /** Called as the work progresses; depends on public values only. */
  readonly progress?: (step: SynthProgress) => void
  /** When aborted, the work stops at its next step, records what was revealed, and throws `interrupted`. */
  readonly signal?: AbortSignal
}

/** The options, read. */
export interface SynthesisRequest {
  readonly method: SynthMethodName
  /** What was asked for beside the method, as it was typed. */
  readonly parameters: { readonly [name: string]: string | number | readonly string[] }
  readonly epsilon: Rational
  readonly queries?: string | readonly string[]
  /** Of methods that choose what to measure. */
  readonly mwem: ReturnType<typeof mwemOptions>
  /** Of maxent. */
  readonly maxent: ReturnType<typeof maxentOptions>
  readonly rows?: number
  readonly sampling?: Sampling
  readonly check?: Rational
  readonly countShare: Rational
  /** For a plan: about how many records there are. */
  readonly about?: number
  readonly progress?: (step: SynthProgress) => void
}

const optionNames: { readonly [K in keyof Required<SynthOptions>]: true } = {
  epsilon: true,
  method: true,
  queries: true,
  rounds: true,
  startShare: true,
  fitting: true,
  output: true,
  ways: true,
  marginals: true,
  priorShare: true,
  rows: true,
  sampling: true,
  check: true,
  countShare: true,
  records: true,
  as: true,
  progress: true,
  signal: true,
}

/** A file of so many records fills some gigabytes, and more do not fit in memory. */
const mostRows = 100_000_000

/** Refuses, before anything is spent, what makes no sense. */
export function readSynthesis(options: SynthOptions, policy: Policy): SynthesisRequest {
  refuseUnknown(options, optionNames)
  const { epsilon, queries, rows, sampling, check, countShare = '0.02', records, progress } = options
  if (epsilon === undefined) throw usage('say what the synthetic table may cost', 'For example --epsilon 0.5.')
  const names = Object.keys(synthMethods) as SynthMethodName[]
  const method = oneOf('method', options.method ?? usualMethod(options, policy), names)
  refuseForeign(method, options)
  return {
    method,
    parameters: parametersOf(options),
    epsilon: positive(epsilon, 'ε', 'All measurements share it: 0.5, say.'),
    ...(queries !== undefined && { queries }),
    mwem: mwemOptions(options),
    maxent: maxentOptions(options),
    ...(rows !== undefined && { rows: rowsOf(rows) }),
    ...(sampling !== undefined && { sampling: oneOf('sampling', sampling, ['rounded', 'independent'] as const) }),
    ...(check !== undefined && {
      check: positive(check, 'the price of a check', 'It is charged in addition to ε: 0.05, say.'),
    }),
    countShare: shareOf(countShare, 'the share for the number of records'),
    ...(records !== undefined && {
      about: ordinary(records, 'the number of records', 'About how many there are: 100000, say.'),
    }),
    ...(progress && { progress }),
  }
}

/** Without what every release has, and what leaves no trace in it. */
function parametersOf(options: SynthOptions): SynthesisRequest['parameters'] {
  const others = ['method', 'records', 'as', 'progress', 'signal']
  const said = Object.entries(options).filter(([name, value]) => value !== undefined && !others.includes(name))
  return Object.fromEntries(said) as SynthesisRequest['parameters']
}

/** Who says what the model is to answer wants a method that asks; under a guard none may choose by the data. */
function usualMethod(options: SynthOptions, { universe, privacy, guards }: Policy): SynthMethodName {
  if ([options.ways, options.marginals, options.priorShare].some((given) => given !== undefined)) return 'maxent'
  if (particular.some((name) => options[name] !== undefined)) return 'mwem'
  if (guards.length > 0) return 'pairs'
  return defaultMethod(universe, privacy.delta.num > 0n && privacy.composition === 'zcdp' ? 'rho' : 'epsilon')
}

/** What only some methods take: those that choose what to measure, and among what. */
const particular = ['queries', 'rounds', 'startShare', 'fitting', 'output', 'ways', 'marginals', 'priorShare'] as const

function refuseForeign(method: SynthMethodName, given: SynthOptions): void {
  const { takes } = synthMethodNamed(method)
  for (const name of particular) {
    if (given[name] === undefined || takes[name]) continue
    const others = Object.keys(synthMethods).filter((other) => synthMethodNamed(other as SynthMethodName).takes[name])
    throw usage(
      `the method ${method} takes no ${name.replace('Share', ' share')}`,
      others.length > 0 ? `These do: ${others.join(', ')}. Say --method ${others[0]}.` : undefined,
    )
  }
}

/** How many records to make up. */
export function rowsOf(given: number | string): number {
  const rows = Number(given)
  if (Number.isInteger(rows) && rows >= 1 && rows <= mostRows && String(given).trim() !== '') return rows
  const most = mostRows.toLocaleString('en')
  throw usage(`the number of rows must be a whole number from 1 to ${most}, not ${JSON.stringify(given)}`)
}
