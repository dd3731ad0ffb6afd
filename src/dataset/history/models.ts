import {
  type FittedTable,
  fitHistoryMixture,
  fitKernelInSteps,
  fitMaxent,
  type HistoryModel,
  type HistoryModelKind,
  judgedBy,
  type PastAnswers,
  tableHistoryModel,
} from '../../inference/index.ts'
import { repeatable } from '../../numeric/index.ts'
import type { SynthProgress } from '../../release/index.ts'
import { stopIfAborted, suggesting, usage } from '../../schema/index.ts'
import { type Book, formatReceipt } from '../../trusted/ledger/index.ts'
import { pastAnswers } from './past-answers.ts'

/** Which model of the history is asked, by name. */
export interface ModelOptions {
  readonly model: string
  /** For kernel and maxent: the weight of the answers relative to the prior. Default: chosen by cross-validation. */
  readonly alpha?: number | string
  /** Called while the model is fitted, which may take half a minute. */
  readonly progress?: (step: SynthProgress) => void
  readonly signal?: AbortSignal
}

/** What fitting may need beside the answers. */
interface FitContext {
  /** Uniform below 1. */
  readonly random: () => number
  readonly alpha: number | undefined
  readonly pause: (share: number, doing: string) => Promise<void>
}

type Fit = (past: PastAnswers, context: FitContext) => HistoryModel | Promise<HistoryModel>

/** Models that are fitted to the history alone, by name. */
const historyModels: { readonly [K in HistoryModelKind]: Fit } = {
  kernel: (past, context) => fitKernelInSteps(past, context),
  maxent: judged(fitMaxent),
  mixture: judged(fitHistoryMixture),
}

/** Where the judge is fitted, of the whole work. */
const judgeFrom = 0.8

/** A model of a whole table cannot say how far its assumptions are off: the kernel estimate, which has others, says what it expects. */
function judged(fitted: (past: PastAnswers, context: FitContext) => Promise<FittedTable>): Fit {
  return async (past, { pause, ...context }) => {
    const model = tableHistoryModel(
      await fitted(past, { ...context, pause: (share, doing) => pause(judgeFrom * share, doing) }),
    )
    const { judge } = await fitKernelInSteps(past, {
      random: context.random,
      isPlain: true,
      pause: (share) => pause(judgeFrom + (1 - judgeFrom) * share, 'errors'),
    })
    return judgedBy(model, judge)
  }
}

/** How much answers count against what is believed before them, where somebody says so. */
export function alphaOf(alpha: number | string | undefined, model: string): number | undefined {
  if (alpha === undefined) return undefined
  if (model === 'mixture') throw usage('a mixture has no α', 'kernel and maxent have one.')
  const value = typeof alpha === 'string' && alpha.trim() === '' ? Number.NaN : Number(alpha)
  if (!(value > 0 && (Number.isFinite(value) || model === 'kernel'))) throw usage('α must be a number above 0')
  return value
}

/** Where fitting may stop: lets the rest of the process have a turn, so that a signal can arrive. */
export async function pauseFor(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resume) => setImmediate(resume))
  stopIfAborted(signal)
}

const isHistoryModel = (name: string): name is HistoryModelKind => Object.hasOwn(historyModels, name)

/** The models of a book's history, each fitted when it is first asked for, and again when something was released since. */
export class HistoryModels {
  readonly #fitted = new Map<
    string,
    { readonly row: number; readonly alpha: number | undefined; readonly model: HistoryModel }
  >()

  /** With this α, or the one that it chooses itself. Chance in it is decided by the receipt, so that the same history gives the same model everywhere. */
  async fitted({ model: name, alpha: given, progress, signal }: ModelOptions, book: Book): Promise<HistoryModel> {
    if (!isHistoryModel(name)) throw unknownModel(name)
    const alpha = alphaOf(given, name)
    const row = book.head.seq
    const known = this.#fitted.get(name)
    if (known?.row === row && known.alpha === alpha) return known.model
    const model = await historyModels[name]!(pastAnswers(book), {
      random: repeatable(formatReceipt(book.head)),
      alpha,
      pause: async (share, doing) => {
        progress?.({ share, doing })
        await pauseFor(signal)
      },
    })
    this.#fitted.set(name, { row, alpha, model })
    return model
  }
}

/** Says the nearest name, and the list. */
function unknownModel(name: string) {
  const names = Object.keys(historyModels)
  return usage(
    `there is no model ${suggesting(name, names)}`,
    `Models of the history: ${names.join(', ')}. Or name a file that ends in .json, as \`reticent synth\` writes it.`,
  )
}
