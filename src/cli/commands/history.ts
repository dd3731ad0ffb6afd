import { type Dataset, type ImproveOptions, open } from '../../index.ts'
import { usage } from '../../schema/index.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { progressBar } from '../progress.ts'
import { fitText } from '../text/fit.ts'
import { historyText, purchaseText } from '../text/history.ts'
import { hasErrors, improvedText } from '../text/improved.ts'

interface HistoryFlags extends GlobalOptions {
  improve: boolean
  model?: string
  alpha?: string
}

/**
 * Everything that was ever bought, and by whom; with a row's number all about that purchase; with --improve, what each purchase
 * said then beside what the whole history says about it now and, with --model, what a model fitted to it says. All of it is free:
 * the data are not opened.
 *
 *     reticent history --improve
 *     reticent history --improve --model kernel
 */
export async function history(
  row: string | undefined,
  flags: HistoryFlags,
  out: Output,
  signal?: AbortSignal,
): Promise<void> {
  if (flags.model !== undefined && !flags.improve) throw usage('--model goes with --improve')
  if (flags.alpha !== undefined && flags.model === undefined) throw usage('--alpha goes with --model')
  const data = await open(flags.policy)
  try {
    await (flags.improve ? improve(data, out, { ...flags, signal }) : historyOf(data, row, out))
  } finally {
    await data.close()
  }
}

/** Of an opened table: all purchases, or one. */
export async function historyOf(data: Dataset, row: string | undefined, out: Output): Promise<void> {
  const entries = await data.history()
  if (row === undefined) {
    await out.result(
      { releases: entries },
      entries.length > 0 ? historyText(entries, out.width) : await nothingIn(data),
    )
    if (entries.length > 0 && (await hasChanged(data))) await out.note(olderOnes)
    return
  }
  const entry = entries.find(({ number }) => String(number) === row)
  if (!entry) throw usage(`no purchase has the row ${JSON.stringify(row)}`, 'The history lists them all.')
  await out.result(entry, purchaseText(entry))
}

type ModelFlags = Pick<HistoryFlags, 'model' | 'alpha'> & { readonly signal?: AbortSignal | undefined }

/** What the history says about every statement now, and a model of it where one is named. */
export async function improve(data: Dataset, out: Output, { model, alpha, signal }: ModelFlags = {}): Promise<void> {
  const bar = progressBar(process.stderr)
  const progress: ImproveOptions['progress'] = ({ share, doing }) => bar.at(share, `${model}: ${doing}`)
  const improved = await data.improve({ model, alpha, progress, signal }).finally(() => bar.end())
  await out.result({ improved }, improved.length > 0 ? improvedText(improved, out.width) : await nothingIn(data))
  if (improved.some(({ now }) => now.some((column) => 'groups' in column))) await out.note(ofGroups)
  const { parameters = {}, warnings = [] } = improved[0]?.fit ?? {}
  const fit = fitText(parameters)
  for (const line of [...warnings, ...(fit === undefined ? [] : [fit])]) await out.note(line)
  if (model !== undefined && improved.length > 0)
    await out.note(improved.some(hasErrors) ? byItsOwnAccount : withoutErrors)
}

const ofGroups = 'of groups: how many are known, and the middle one of their errors'
const withoutErrors = 'by the model: estimates without intervals, and of unknown error'
const byItsOwnAccount =
  'by the model: estimates without intervals; "off by" is the root mean squared error that the model itself expects, without any guarantee: about half as wide as a 95% interval would be'

/** Answers of earlier epochs are about other data, and no longer used: but they were paid for. */
const hasChanged = async (data: Dataset): Promise<boolean> => (await data.budget()).epochs > 1

const olderOnes = 'since the data last changed; `reticent ledger export` prints what was asked before'

const nothingIn = async (data: Dataset): Promise<string> =>
  (await hasChanged(data))
    ? 'nobody has asked anything since the data changed; `reticent ledger export` prints what was asked before'
    : 'nobody has asked anything yet'
