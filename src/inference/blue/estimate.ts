import type { Universe } from '../../schema/index.ts'
import { type Term, varianceOf, varianceOfError } from '../error-law/law.ts'
import { noisesOf } from './blocks/noises.ts'
import type { Components } from './marginals/components.ts'
import type { Kind } from './marginals/marginal-kinds.ts'
import { MarginalWeights } from './marginals/marginal-weights.ts'
import type { MarginalAnswer } from './noisy-answers.ts'
import { unit, unitsOf } from './rounding.ts'
import type { Combined } from './scalars/combined.ts'

/** The estimate of one linear query from a history. */
export type Estimate = Estimated | NotEstimable

interface NotEstimable {
  readonly estimable: false
  /** The number of answers in the history that were not used: beyond the cap, or too close to others. */
  readonly leftOut: number
  /** Present if the history determines the question, but double precision is not enough for the answer. */
  readonly imprecise?: true
}

export interface Estimated {
  readonly estimable: true
  /** Best linear unbiased, in the data's own units. */
  readonly estimate: number
  readonly variance: number
  /**
   * Bounds on the rounding error of the estimate (or of its error, through the coefficients), and of the variance.
   * Small compared with the standard deviation or the question's step; intervals are widened by it.
   */
  readonly rounding: { readonly estimate: number; readonly variance: number }
  /** The error is Σ coefficient·noise over independent noises in steps; equal ones are grouped, where that is found at once. */
  readonly coefficients: readonly Term[]
  /** The measurements behind it, those with the largest shares of its variance first. */
  readonly sources: readonly Source[]
  readonly leftOut: number
  /** The number of answers that were left out because their noise is so much larger than the others' that doubles cannot hold both. */
  readonly dwarfed: number
}

export interface Source {
  /** Of the measurement. */
  readonly id: string
  /** Σ |coefficient| over its noisy numbers, in the data's units per step. */
  readonly weight: number
  /** Its part of the variance. */
  readonly variance: number
}

/** The state of a history when an estimate was made: estimates from the same state share the same noisy numbers. */
export type Moment = object

/** What is needed to convert an estimate from steps of the question to the data's units. */
export interface EstimateContext {
  readonly step: number
  readonly marginals: readonly MarginalAnswer[]
  readonly kinds: readonly Kind[]
  readonly components: Components
  readonly universe: Universe
  readonly leftOut: number
  readonly dwarfed: number
  readonly moment: Moment
}

/** The most terms that are kept. A table may have thousands of estimates: longer lists are recomputed on demand. */
const mostKept = 4096
/** A variance that is a small difference of large numbers is added up from the coefficients instead. */
const cancelled = 1e-3
/** A noise exceeds this many of its standard deviations only with a probability below 10^-18. */
const reach = 32
/** If rounding exceeds this share of the standard deviation, or of the step if that is larger, no estimate is given. */
const mostRounding = 2 ** -7

/**
 * The estimate in the data's units. Coefficients are computed on first use. Undefined if the rounding error may be
 * noticeable beside the estimate's own uncertainty.
 */
export function estimateOf(combined: Combined, context: EstimateContext): Estimated | undefined {
  const { step, leftOut, dwarfed } = context
  const { all, sources } = listsOf(combined, context)
  const isSafe = combined.variance > cancelled * combined.largest
  const variance = isSafe ? step * step * combined.variance : varianceOfError(all())
  const rounding = roundingOf(combined, step, isSafe ? undefined : variance)
  if (!(rounding.estimate <= mostRounding * Math.max(Math.sqrt(variance), step))) return undefined
  const made: Estimated = {
    estimable: true,
    estimate: step * combined.estimate,
    variance,
    rounding,
    leftOut,
    dwarfed,
    get coefficients() {
      return all()
    },
    get sources() {
      return sources()
    },
  }
  origins.set(made, { combined, context })
  return made
}

/** What an estimate is made of: its noises, and the measurements that they are of. */
interface Lists {
  readonly all: () => readonly Term[]
  readonly sources: () => readonly Source[]
}

/** Estimates that are alike share their lists. */
const shared = new WeakMap<object, { readonly step: number; readonly lists: Lists }>()

function listsOf(combined: Combined, context: EstimateContext): Lists {
  const { alike } = combined
  const known = alike && shared.get(alike)
  if (known?.step === context.step) return known.lists
  const noises = new NoisesBehind(combined, context)
  const lists = { all: keptIfShort(() => noises.terms()), sources: keptIfShort(() => noises.sources()) }
  if (alike) shared.set(alike, { step: context.step, lists })
  return lists
}

interface Origin {
  readonly combined: Combined
  readonly context: EstimateContext
}
const origins = new WeakMap<Pick<Estimated, 'coefficients'>, Origin>()

/**
 * The noises in x·one + y·other. Errors are sums of noises, so the sum need not be estimated again; undefined unless
 * both come from the same state of one history, in which equal noisy numbers are recognised.
 */
export function termsOfSum(
  [one, x]: readonly [Pick<Estimated, 'coefficients'>, number],
  [other, y]: readonly [Pick<Estimated, 'coefficients'>, number],
): Term[] | undefined {
  const [a, b] = [origins.get(one), origins.get(other)]
  if (!a || !b || a.context.moment !== b.context.moment) return undefined
  const parts = [
    { ...a, times: x * a.context.step },
    { ...b, times: y * b.context.step },
  ]
  const answers = new Map<string | object, Combined['answers'][number]>()
  for (const { combined, times } of parts)
    for (const { answer, times: own } of combined.answers) {
      // Numbers that an answer with parts is a sum of are found among all of them later on.
      const key = answer.parts ? answer : `${answer.cell} ${answer.id}`
      answers.set(key, { answer, times: (answers.get(key)?.times ?? 0) + times * own })
    }
  const rest = () =>
    parts.flatMap(({ combined, times }) => combined.rest().map((part) => ({ ...part, times: times * part.times })))
  const sum = { ...a.combined, answers: [...answers.values()], rest }
  return new NoisesBehind(sum, { ...a.context, step: 1 }).terms()
}

function keptIfShort<T>(make: () => readonly T[]): () => readonly T[] {
  let list: readonly T[] | undefined
  return () => {
    if (list) return list
    const made = make()
    if (made.length <= mostKept) list = made
    return made
  }
}

/** Of the estimate and of its variance; `added` is the variance where it was added up from the coefficients. */
function roundingOf(combined: Combined, step: number, added: number | undefined): Estimated['rounding'] {
  const count = combined.answers.length + 1
  const units = unitsOf(count) * unit
  // Coefficients have the rounding errors of whatever was combined, so the error's deviation has those of its deviations.
  const ofDeviation = step * units * combined.deviations
  return {
    estimate: step * combined.rounding + reach * ofDeviation,
    variance:
      added === undefined
        ? units * count * step * step * combined.largest
        : units * added + ofDeviation * (2 * Math.sqrt(added) + ofDeviation),
  }
}

/** The coefficients of the noises of scalar answers, and of marginals. */
interface Weighed {
  readonly scalars: ReturnType<typeof noisesOf>
  /** Undefined where there are none. */
  readonly marginals: MarginalWeights | undefined
}

/** The noises in an estimate: their coefficients are computed once, for its error distribution and for its explanation. */
class NoisesBehind {
  readonly #combined: Combined
  readonly #context: EstimateContext
  #weighed: WeakRef<Weighed> | undefined

  constructor(combined: Combined, context: EstimateContext) {
    this.#combined = combined
    this.#context = context
  }

  /** Shared by later callers; held weakly, since each of a table's groups would keep its own. */
  #weights(): Weighed {
    const known = this.#weighed?.deref()
    if (known) return known
    const { universe, components, kinds } = this.#context
    const { answers, rest } = this.#combined
    const marginals = kinds.length > 0 ? new MarginalWeights(universe, components, rest()) : undefined
    const weighed = { scalars: noisesOf(answers), marginals }
    this.#weighed = new WeakRef(weighed)
    return weighed
  }

  /** There may be 10^5 of them: lists of lists would take longer than all the rest. */
  terms(): Term[] {
    const { step, kinds } = this.#context
    const { scalars, marginals } = this.#weights()
    const terms: Term[] = []
    for (const { ids, law, coefficients, counts } of scalars)
      for (let i = 0; i < coefficients.length; i++)
        terms.push({ law, coefficient: step * coefficients[i]!, count: ids.length * counts[i]! })
    marginals?.terms(kinds, step, terms)
    return terms
  }

  sources(): Source[] {
    const { step, marginals: tables } = this.#context
    const { scalars, marginals } = this.#weights()
    const all = [
      ...scalars,
      ...tables.map(({ id, law, attributes, variance }) => ({
        ids: [id],
        law,
        ...marginals!.of(attributes, variance),
      })),
    ]
    const sources = new Map<string, Source>()
    for (const { ids, law, coefficients, counts } of all) {
      let [weight, squares] = [0, 0]
      for (let i = 0; i < coefficients.length; i++) {
        weight += counts[i]! * Math.abs(step * coefficients[i]!)
        squares += counts[i]! * (step * coefficients[i]!) ** 2
      }
      for (const id of ids) {
        const before = sources.get(id) ?? { weight: 0, variance: 0 }
        sources.set(id, { id, weight: before.weight + weight, variance: before.variance + squares * varianceOf(law) })
      }
    }
    return [...sources.values()].filter(({ weight }) => weight > 0).sort((x, y) => y.variance - x.variance)
  }
}
