import { type Dataset, type ImproveOptions, open } from '../../index.ts'
import { usage } from '../../schema/index.ts'
import { counted } from '../format.ts'
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
 * says by itself, beside what the whole history says about it now and, with --model, what a model fitted to it says. All of it is
 * free: the data are not opened.
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
    await (flags.improve ? improve(data, out, { ...flags, row, signal }) : historyOf(data, row, out))
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

interface ImproveFlags extends Pick<HistoryFlags, 'model' | 'alpha'> {
  readonly row?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** What the history says about every statement now, or that of one row, and a model of it where one is named. */
export async function improve(data: Dataset, out: Output, flags: ImproveFlags = {}): Promise<void> {
  const { model, alpha, row, signal } = flags
  const bar = progressBar(process.stderr)
  const progress: ImproveOptions['progress'] = ({ share, doing }) => bar.at(share, `${model}: ${doing}`)
  const number = row === undefined ? undefined : Number(row)
  const improved = await data.improve({ model, alpha, number, progress, signal }).finally(() => bar.end())
  if (row !== undefined && improved.length === 0)
    throw usage(
      `the row ${JSON.stringify(row)} has nothing to compare`,
      'It must be the last row of a statement. Purchases that are only steps towards an answer, as those of quantiles, say nothing by themselves.',
    )
  await out.result({ improved }, improved.length > 0 ? improvedText(improved, out.width) : await nothingIn(data))
  if (improved.some(({ now }) => now.some((column) => 'groups' in column))) await out.note(ofGroups)
  const leftOut = row === undefined ? (await statementsOf(data)).size - improved.length : 0
  if (leftOut > 0) await out.note(leftOutText(leftOut))
  const fit = fitText(improved[0]?.fit?.parameters ?? {})
  const warnings = new Set(improved.flatMap(({ fit }) => fit?.warnings ?? []))
  for (const line of [...warnings, ...(fit === undefined ? [] : [fit])]) await out.note(line)
  if (model !== undefined && improved.length > 0)
    await out.note(improved.some(hasErrors) ? byItsOwnAccount : withoutErrors)
}

/** What was asked, each once: not what was published. */
const statementsOf = async (data: Dataset): Promise<Set<string>> =>
  new Set((await data.history()).flatMap(({ statement, state }) => (state === 'recorded' && statement) || []))

const leftOutText = (count: number): string =>
  `${counted(count, 'statement is', 'statements are')} left out: what was bought for a quantile, or before a question failed, does not answer it by itself`
const ofGroups = 'of groups: how many are known, and the middle one of their errors'
const withoutErrors = 'by the model: estimates without intervals, and of unknown error'
const byItsOwnAccount =
  'by the model: estimates without intervals; "off by" is the root mean squared error that the kernel model expects, without any guarantee: about half as wide as a 95% interval would be'

/** Answers of earlier epochs are about other data, and no longer used: but they were paid for. */
const hasChanged = async (data: Dataset): Promise<boolean> => (await data.budget()).epochs > 1

const olderOnes = 'since the data last changed; `reticent ledger export` prints what was asked before'

const nothingIn = async (data: Dataset): Promise<string> =>
  (await hasChanged(data))
    ? 'nobody has asked anything since the data changed; `reticent ledger export` prints what was asked before'
    : 'nobody has asked anything yet'
