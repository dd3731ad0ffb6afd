import type { Rational } from '../../numeric/index.ts'
import {
  defaultMethod,
  type SynthMethodName,
  type SynthProgress,
  synthMethodNamed,
  synthMethods,
} from '../../release/index.ts'
import { type Policy, suggesting, usage } from '../../schema/index.ts'
import { ordinary, positive, refuseUnknown, shareOf } from '../options.ts'

/** How to make a synthetic table, and what for. */
export interface SynthOptions {
  /** What all measurements cost together. */
  readonly epsilon: number | string
  /** Chosen by the size of the table's universe unless said. */
  readonly method?: SynthMethodName
  /**
   * What the model is to answer well, of methods that choose what to measure: "2-way" (unless said) for all tables over two
   * attributes, "ranges:1000" for so many random ranges, "parities:3" for binary data; or a list of SQL statements.
   */
  readonly queries?: string | readonly string[]
  /** How often such a method chooses: a number, or "adaptive"; from public numbers unless said. */
  readonly rounds?: number | string
  /** So many records: as many as the table has, about, unless said. */
  readonly rows?: number | string
  /** What a noisy quality score of the finished table costs, on top of epsilon: none is bought unless this is said. */
  readonly check?: number | string
  /** The share of ε that the number of records is bought with, where it is neither public nor known: 0.02. */
  readonly countShare?: number | string
  /** For a plan: about how many records there are, where that is neither public nor known. */
  readonly records?: number | string
  /** Who asks; required where the policy names analysts. */
  readonly as?: string
  /** Called as the work goes on; by public values alone. */
  readonly progress?: (step: SynthProgress) => void
  /** When aborted, the work stops at its next step, records what was shown, and throws `interrupted`. */
  readonly signal?: AbortSignal
}

/** The options, read. */
export interface SynthesisRequest {
  readonly method: SynthMethodName
  /** What was asked for beside the method, as it was typed. */
  readonly parameters: { readonly [name: string]: string | number | readonly string[] }
  readonly epsilon: Rational
  readonly queries?: string | readonly string[]
  readonly rounds?: number | 'adaptive'
  readonly rows?: number
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
  rows: true,
  check: true,
  countShare: true,
  records: true,
  as: true,
  progress: true,
  signal: true,
}

/** A file of so many records fills some gigabytes, and more do not fit in memory. */
const mostRows = 100_000_000

/** More rounds than this share the budget so finely that none tells anything. */
const mostRounds = 10_000

/** Refuses, before anything is spent, what makes no sense. */
export function readSynthesis(options: SynthOptions, policy: Policy): SynthesisRequest {
  refuseUnknown(options, optionNames)
  const { epsilon, queries, rounds, rows, check, countShare = '0.02', records, progress } = options
  if (epsilon === undefined) throw usage('say what the synthetic table may cost', 'For example --epsilon 0.5.')
  const method = methodOf(options.method ?? usualMethod(options, policy))
  refuseForeign(method, { queries, rounds })
  return {
    method,
    parameters: parametersOf(options),
    epsilon: positive(epsilon, 'ε', 'All measurements share it: 0.5, say.'),
    ...(queries !== undefined && { queries }),
    ...(rounds !== undefined && { rounds: roundsOf(rounds) }),
    ...(rows !== undefined && { rows: rowsOf(rows) }),
    ...(check !== undefined && { check: positive(check, 'the price of a check', 'It comes on top of ε: 0.05, say.') }),
    countShare: shareOf(countShare, 'the share for the number of records'),
    ...(records !== undefined && {
      about: ordinary(records, 'the number of records', 'About how many there are: 100000, say.'),
    }),
    ...(progress && { progress }),
  }
}

/** Without what every release has, and what leaves no trace in it. */
const parametersOf = ({ epsilon, queries, rounds, check, countShare, rows }: SynthOptions) =>
  Object.fromEntries(
    Object.entries({ epsilon, queries, rounds, check, countShare, rows }).filter(([, value]) => value !== undefined),
  ) as SynthesisRequest['parameters']

/** Who says what the model is to answer wants a method that asks; under a guard none may choose by the data. */
function usualMethod({ queries, rounds }: SynthOptions, { universe, privacy, guards }: Policy): SynthMethodName {
  if (queries !== undefined || rounds !== undefined) return 'mwem'
  if (guards.length > 0) return 'pairs'
  return defaultMethod(universe, privacy.delta.num > 0n && privacy.composition === 'zcdp' ? 'rho' : 'epsilon')
}

function methodOf(name: string): SynthMethodName {
  if (Object.hasOwn(synthMethods, name)) return name as SynthMethodName
  const names = Object.keys(synthMethods)
  throw usage(`there is no method ${suggesting(name, names)}`, `There are ${names.join(', ')}.`)
}

/** Only some methods choose what to measure, and among what. */
function refuseForeign(method: SynthMethodName, given: Pick<SynthOptions, 'queries' | 'rounds'>): void {
  const { takes } = synthMethodNamed(method)
  for (const name of ['queries', 'rounds'] as const) {
    if (given[name] === undefined || takes[name]) continue
    const others = Object.keys(synthMethods).filter((other) => synthMethodNamed(other as SynthMethodName).takes[name])
    throw usage(
      `the method ${method} takes no ${name}`,
      others.length > 0 ? `Those do: ${others.join(', ')}. Say --method ${others[0]}.` : undefined,
    )
  }
}

function roundsOf(given: number | string): number | 'adaptive' {
  const rounds = Number(given)
  if (given === 'adaptive') return given
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= mostRounds && String(given).trim() !== '') return rounds
  throw usage(`rounds must be a whole number from 1 to ${mostRounds}, or adaptive, not ${JSON.stringify(given)}`)
}

function rowsOf(given: number | string): number {
  const rows = Number(given)
  if (Number.isInteger(rows) && rows >= 1 && rows <= mostRows && String(given).trim() !== '') return rows
  const most = mostRows.toLocaleString('en')
  throw usage(`the number of rows must be a whole number from 1 to ${most}, not ${JSON.stringify(given)}`)
}
