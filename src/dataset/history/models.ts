import {
  fitHistoryMixture,
  fitKernel,
  fitMaxent,
  type HistoryModel,
  type HistoryModelKind,
  type PastAnswers,
  tableHistoryModel,
} from '../../inference/index.ts'
import { nearest, stopIfAborted, usage } from '../../schema/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { pastAnswers } from './past-answers.ts'

/** What fitting may need beside the answers. */
interface FitContext {
  /** Uniform below 1. */
  readonly random: () => number
  readonly signal?: AbortSignal
}

type Fit = (past: PastAnswers, context: FitContext) => HistoryModel | Promise<HistoryModel>

/** Models that are fitted to the history alone, by name. */
const historyModels: { readonly [K in HistoryModelKind]: Fit } = {
  kernel: (past, { random }) => fitKernel(past, { random }),
  maxent: async (past, context) => tableHistoryModel(await fitMaxent(past, fittingIn(context))),
  mixture: async (past, context) => tableHistoryModel(await fitHistoryMixture(past, fittingIn(context))),
}

const fittingIn = ({ random, signal }: FitContext) => ({ random, pause: async () => stopIfAborted(signal) })

const isHistoryModel = (name: string): name is HistoryModelKind => Object.hasOwn(historyModels, name)

/** The models of a book's history, each fitted when it is first asked for, and again when something was released since. */
export class HistoryModels {
  readonly #random: () => number
  readonly #fitted = new Map<string, { readonly row: number; readonly model: HistoryModel }>()

  constructor(random: () => number) {
    this.#random = random
  }

  async fitted(name: string, book: Book): Promise<HistoryModel> {
    if (!isHistoryModel(name)) throw unknownModel(name)
    const row = book.head.seq
    const known = this.#fitted.get(name)
    if (known?.row === row) return known.model
    const model = await historyModels[name]!(pastAnswers(book), { random: this.#random })
    this.#fitted.set(name, { row, model })
    return model
  }
}

/** Says the nearest name, and the list. */
function unknownModel(name: string) {
  const names = Object.keys(historyModels)
  const meant = nearest(name, names)
  return usage(
    `there is no model ${JSON.stringify(name)}${meant ? `; did you mean ${meant}?` : ''}`,
    `Models of the history: ${names.join(', ')}. Or name a file that ends in .json, as \`reticent synth\` writes it.`,
  )
}
