import { readFileSync } from 'node:fs'
import {
  type Dataset,
  open,
  openSynthFiles,
  publishSynthetic,
  ReticentError,
  type SynthFiles,
  type SynthOptions,
  type SynthRelease,
  type SynthSummary,
} from '../../index.ts'
import { toldUp } from '../../numeric/index.ts'
import { usage } from '../../schema/index.ts'
import { shortReceipt } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { progressBar } from '../progress.ts'
import { statementsIn } from '../sql-file.ts'
import { costText, planText, releaseText } from '../text/synth.ts'
import { freeSynth } from './synth-free.ts'

/** The library's options, as they were typed, and where the table goes. */
interface SynthFlags extends GlobalOptions, Omit<SynthOptions, 'queries' | 'progress' | 'signal'> {
  queries?: string
  free?: boolean
  alpha?: string
  plan: boolean
  out?: string
}

/**
 * A synthetic table that anybody may keep: made-up records with the columns, values and types of the private ones, from a
 * model that was fitted to noisy counts. The model and a report stand beside it.
 *
 *     reticent synth --epsilon 0.5 --out made-up.csv
 */
export async function synth(flags: SynthFlags, out: Output, signal?: AbortSignal): Promise<void> {
  if (flags.free) return freeSynth(flags, out, signal)
  if (flags.alpha !== undefined) throw usage('--alpha goes with --free')
  const { policy, json: _, plan: isPlan, out: path, queries, free: __, ...asked } = flags
  const options = { ...asked, ...(queries !== undefined && { queries: queriesOf(queries) }), signal }
  if (asked.records !== undefined && !isPlan)
    throw usage('--records only works with --plan; a release finds the number itself')
  const data = await open(policy)
  try {
    if (isPlan) {
      // A place that cannot be used is said now, not when the money is out.
      if (path !== undefined) await (await openSynthFiles(path)).discard()
      const plan = await data.planSynthesis(options)
      await out.result(plan, planText(plan))
    } else {
      const { release, summary, files } = await released(data, options, path)
      const { cost, raised, spent, left } = release
      await out.result({ ...summary, out: files.path, cost, raised, spent, left }, releaseText(release, summary))
      await out.note(costText(release, files))
    }
  } finally {
    await data.close()
  }
}

/** The name of a class of queries, or the statements in a file of SQL. */
function queriesOf(text: string): string | string[] {
  if (!text.toLowerCase().endsWith('.sql')) return text
  try {
    return statementsIn(readFileSync(text, 'utf8'))
  } catch {
    throw usage(
      `${text} cannot be read`,
      'Name a file of SQL statements, or say "2-way", "ranges:1000" or "parities:3".',
    )
  }
}

/** Buys and writes. The place is tried before anything is spent. */
async function released(
  data: Dataset,
  options: SynthOptions,
  path: string | undefined,
): Promise<{ release: SynthRelease; summary: SynthSummary; files: SynthFiles }> {
  if (path === undefined) throw usage('say where to write the table: --out FILE', 'Or ask for a --plan first.')
  const files = await openSynthFiles(path)
  const bar = progressBar(process.stderr)
  try {
    const release = await data.synthesize({ ...options, progress: ({ share, doing }) => bar.at(share, doing) })
    bar.end()
    const summary = await publishSynthetic(release, { files, signal: options.signal }).catch(() => {
      throw unwritten(release, files, options.signal?.aborted === true)
    })
    return { release, summary, files }
  } catch (error) {
    bar.end()
    await files.discard()
    throw error
  }
}

/** Why there is no file: it could not be written, or somebody wanted the process to end. */
const unwritten = ({ cost, receipt }: SynthRelease, { path }: SynthFiles, isStopped: boolean) =>
  new ReticentError(
    isStopped ? 'interrupted' : 'output-unwritable',
    { path, paid: cost.epsilon, receipt },
    {
      message: isStopped ? 'the release was interrupted' : `the table could not be written to ${path}`,
      detail: `ε = ${toldUp(cost.epsilon)} is spent, and the measurements are in the history; ${shortReceipt(receipt)}.`,
      hint: 'The next synthetic table will use what was measured, at no cost.',
    },
  )
