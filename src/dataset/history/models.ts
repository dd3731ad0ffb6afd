import { fitKernel, type HistoryModel, type HistoryModelKind, type PastAnswers } from '../../inference/index.ts'
import { nearest, usage } from '../../schema/index.ts'

/** What fitting may need beside the answers. */
interface FitContext {
  /** Uniform below 1. */
  readonly random: () => number
  readonly signal?: AbortSignal
}

type Fit = (past: PastAnswers, context: FitContext) => HistoryModel | Promise<HistoryModel>

/** Models that are fitted to the history alone, by name. */
const historyModels: { readonly [K in HistoryModelKind]?: Fit } = {
  kernel: (past, { random }) => fitKernel(past, { random }),
}

const isHistoryModel = (name: string): name is HistoryModelKind => Object.hasOwn(historyModels, name)

/** The model of this name, fitted; throws with the nearest name and the list. */
export async function fitHistoryModel(name: string, past: PastAnswers, context: FitContext): Promise<HistoryModel> {
  if (isHistoryModel(name)) return historyModels[name]!(past, context)
  const names = Object.keys(historyModels)
  const meant = nearest(name, names)
  throw usage(
    `there is no model ${JSON.stringify(name)}${meant ? `; did you mean ${meant}?` : ''}`,
    `Models of the history: ${names.join(', ')}. Or name a file that ends in .json, as \`reticent synth\` writes it.`,
  )
}
