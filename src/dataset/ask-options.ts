import { type Asked, parseThreshold, type Requirement } from '../answer/index.ts'
import { toNumber } from '../numeric/index.ts'
import { usage } from '../schema/index.ts'
import { positive, refuseUnknown } from './options.ts'

/** How precise an answer must be, or what it may cost: one of within, relative (with floor), epsilon and free. */
export interface AskOptions {
  /** The half-width of the interval, in the data's own units: only the missing precision is bought. */
  readonly within?: number | string
  /** A precision relative to the exact number, 0.05 for 5%; numbers below `floor` need only the precision of `floor`. */
  readonly relative?: number | string
  readonly floor?: number | string
  /** With within or relative: the most that the question may cost. */
  readonly maxEpsilon?: number | string
  /** What the whole statement costs. 0.1 means one tenth exactly, as a number or as text. */
  readonly epsilon?: number | string
  /** Answer from earlier releases alone, at no cost. */
  readonly free?: boolean
  /** The probability that an interval holds the exact number; 0.95 by default. */
  readonly confidence?: number
  /** All intervals of a GROUP BY hold simultaneously, not each by itself. */
  readonly allWithin?: boolean
  /**
   * All intervals asked for with `always` hold simultaneously, at every step of a refinement and even if questions
   * depend on earlier answers. `withinAlone` is the half-width for this answer alone, which `within` and `epsilon`
   * refer to.
   */
  readonly always?: boolean
  /** How likely is this claim? "> 1000", or with >=, < or <=. By itself it uses earlier releases only. */
  readonly probability?: string
  /** Say which measurements the answer was made of. */
  readonly explain?: boolean
  /** The number of columns for a picture of the error distribution. */
  readonly density?: number
  /** Who asks; required where the policy names analysts. */
  readonly as?: string
  /** When aborted before anything is paid for, nothing is, and the question throws `interrupted`. */
  readonly signal?: AbortSignal
}

const optionNames: { readonly [K in keyof Required<AskOptions>]: true } = {
  within: true,
  relative: true,
  floor: true,
  epsilon: true,
  maxEpsilon: true,
  free: true,
  confidence: true,
  allWithin: true,
  always: true,
  probability: true,
  explain: true,
  density: true,
  as: true,
  signal: true,
}

/** With more doubt than this no digits are lost when it is shared by a million intervals. */
const mostConfidence = 0.999999999

/** Refuses, before anything is spent, what makes no sense. */
export function requirementOf(options: AskOptions): Requirement {
  refuseUnknown(options, optionNames)
  const { probability, allWithin, always, explain, density, confidence = 0.95 } = options
  if (!(confidence > 0 && confidence <= mostConfidence))
    throw usage(`confidence must lie between 0 and 1, and not above ${mostConfidence}`, '0.95 is usual.')
  const threshold = probability === undefined ? undefined : parseThreshold(probability)
  const asked: Asked = { confidence, probability: threshold, allWithin, always, explain, density }
  switch (wayOf(options)) {
    case 'free':
      return { ...asked, kind: 'free' }
    case 'price': {
      const hint = 'A small ε is more private, a large one more precise: 0.01 to 1 are usual.'
      return { ...asked, kind: 'price', epsilon: positive(options.epsilon!, 'ε', hint) }
    }
    case 'within': {
      const within = size(
        options.within!,
        'the half-width',
        'Ask for --within 100, say: the answer will be within ±100.',
      )
      const floor =
        options.floor === undefined ? {} : { floor: size(options.floor, 'the floor', 'A number of records: 100, say.') }
      return { ...asked, kind: 'within', within, ...floor, ...capOf(options) }
    }
    case 'relative': {
      const relative = size(options.relative!, 'the relative precision', '0.05 means within 5%.')
      const floor = size(options.floor!, 'the floor', 'Counts below the floor may have a larger relative error.')
      return { ...asked, kind: 'relative', relative, floor, ...capOf(options) }
    }
  }
}

/** The one way of asking that was chosen. */
function wayOf({ within, relative, floor, epsilon, free, maxEpsilon, probability }: AskOptions): Requirement['kind'] {
  if (relative !== undefined && floor === undefined)
    throw usage(
      'a relative precision needs a floor: 5% of a number near 0 would cost without end',
      'Say --relative 0.05 --floor 500: within 5%, and within ±25 where the number is below 500.',
    )
  const isPrecision = within !== undefined || relative !== undefined
  if (floor !== undefined && !isPrecision)
    throw usage('floor goes with relative or within', 'Say how precise the answer must be: --within 100.')
  if (maxEpsilon !== undefined && !isPrecision)
    throw usage('max-epsilon goes with within or relative', 'Say how precise the answer must be: --within 100.')
  const given = { within, relative, price: epsilon, free: free || undefined }
  const ways = Object.entries(given).flatMap(([way, value]) => (value === undefined ? [] : [way]))
  if (ways.length === 0 && probability !== undefined) return 'free'
  if (ways.length === 1) return ways[0] as Requirement['kind']
  throw usage(
    ways.length === 0
      ? 'say how precise the answer must be, or what it may cost'
      : 'say only one of within, relative, epsilon and free',
    'A precision: --within 100. A price: --epsilon 0.05. Or nothing: --free.',
  )
}

const size = (given: number | string, what: string, hint: string): number => toNumber(positive(given, what, hint))

const capOf = ({ maxEpsilon }: AskOptions): { maxEpsilon?: number } =>
  maxEpsilon === undefined ? {} : { maxEpsilon: size(maxEpsilon, 'max-epsilon', '0.1 allows a tenth.') }
