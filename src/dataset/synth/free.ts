import { costOf, leftFor } from '../../answer/index.ts'
import {
  type FittedTable,
  type FittingOptions,
  fitHistoryMixture,
  fitMaxent,
  type PastAnswers,
} from '../../inference/index.ts'
import type { SynthProgress } from '../../release/index.ts'
import { suggesting, usage } from '../../schema/index.ts'
import { zeroSpending } from '../../trusted/accounting/index.ts'
import { type Book, formatReceipt } from '../../trusted/ledger/index.ts'
import { alphaOf, pauseFor } from '../history/models.ts'
import { pastAnswers } from '../history/past-answers.ts'
import { oneOf, refuseUnknown } from '../options.ts'
import { rowsOf } from './options.ts'
import type { SynthRelease } from './synthesize.ts'

/** How to make a synthetic table from released answers alone. */
export interface FreeSynthOptions {
  /** maxent (default): the maximum-entropy distribution that fits all answers. mixture: an ensemble of mixtures, fitted to counts. */
  readonly method?: FreeSynthMethod
  /** For maxent: the weight of the answers relative to the prior. Default: chosen by cross-validation. */
  readonly alpha?: number | string
  /** The number of records. Default: the number in the private table, as estimated from the history. */
  readonly rows?: number | string
  /** "rounded" (default), or "independent": each record drawn independently. */
  readonly sampling?: string
  readonly progress?: (step: SynthProgress) => void
  readonly signal?: AbortSignal
}
type FreeSynthMethod = keyof typeof fits

/** What a free table would be made from. */
export interface FreeSynthPlan {
  readonly method: FreeSynthMethod
  readonly free: true
  /** How many answers of the history the model would be fitted to, and how many noisy numbers they have. */
  readonly answers: number
  readonly numbers: number
  readonly cost: SynthRelease['cost']
  readonly left: SynthRelease['left']
}

const fits = { maxent: fitMaxent, mixture: fitHistoryMixture } satisfies {
  readonly [name: string]: (
    past: PastAnswers,
    options: FittingOptions & { readonly alpha?: number },
  ) => Promise<FittedTable>
}

const optionNames: { readonly [K in keyof Required<FreeSynthOptions>]: true } = {
  method: true,
  alpha: true,
  rows: true,
  sampling: true,
  progress: true,
  signal: true,
}

function readFree(options: FreeSynthOptions) {
  refuseUnknown(options, optionNames)
  const { method = 'maxent', alpha, rows, sampling } = options
  const names = Object.keys(fits)
  if (!Object.hasOwn(fits, method))
    throw usage(`no method ${suggesting(method, names)} works without a budget`, `With --free: ${names.join(', ')}.`)
  return {
    method,
    ...(alpha !== undefined && { alpha: alphaOf(alpha, method) }),
    ...(rows !== undefined && { rows: rowsOf(rows) }),
    ...(sampling !== undefined && { sampling: oneOf('sampling', sampling, ['rounded', 'independent'] as const) }),
  }
}

/** What it would be made from; fits nothing. */
export function planFreeSynthesis(options: FreeSynthOptions, book: Book): FreeSynthPlan {
  const { method } = readFree(options)
  const { measurements } = pastAnswers(book)
  return {
    method,
    free: true,
    answers: measurements.length,
    numbers: measurements.reduce((sum, { values }) => sum + values.length, 0),
    cost: costOf(zeroSpending, book),
    left: leftFor(book),
  }
}

/** Rows are drawn at the end. */
const shareOfFit = 0.95

/** From the ledger alone: no meter and no data are opened, and nothing is recorded. */
export async function synthesizeFree(
  options: FreeSynthOptions,
  book: Book,
  random: () => number,
): Promise<SynthRelease> {
  const { method, alpha, rows: wanted, sampling } = readFree(options)
  const past = pastAnswers(book)
  const pause = async (share: number, doing: string) => {
    await pauseFor(options.signal)
    options.progress?.({ share: shareOfFit * share, doing })
  }
  const fitting = { random, pause, ...(wanted !== undefined && { rows: wanted }) }
  const fitted = await fits[method](past, { ...fitting, ...(alpha !== undefined && { alpha }) })
  const { table: model, records, warnings } = fitted
  options.progress?.({ share: shareOfFit, doing: 'rows' })
  const rows = model.rows(wanted ?? Math.max(1, Math.round(records.count)), random, sampling)
  return {
    dataset: book.dataset,
    method,
    free: true,
    parameters: { ...fitted.parameters, ...(wanted !== undefined && { rows: wanted }), ...(sampling && { sampling }) },
    neighbours: book.terms.neighbours,
    records,
    model,
    rows,
    random,
    budget: { epsilon: 0 },
    steps: [],
    measured: [],
    known: past.measurements,
    warnings,
    cost: costOf(zeroSpending, book),
    raised: costOf(zeroSpending, book),
    spent: costOf(book.spent(), book),
    left: leftFor(book),
    receipt: formatReceipt(book.head),
  }
}
