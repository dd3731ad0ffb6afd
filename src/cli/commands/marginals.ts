import {
  type Dataset,
  type Folder,
  type Format,
  type MarginalsOptions,
  type MarginalsRelease,
  open,
  openFolder,
  publish,
  ReticentError,
  type Summary,
} from '../../index.ts'
import { toldUp } from '../../numeric/index.ts'
import { usage } from '../../schema/index.ts'
import { shortReceipt } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { progressBar } from '../progress.ts'
import { costText, planText, releaseText } from '../text/marginals.ts'

/** The library's options, as they were typed, and where the tables go. */
export interface MarginalsFlags extends GlobalOptions, Omit<MarginalsOptions, 'of' | 'progress' | 'signal'> {
  of?: string
  plan: boolean
  format: string
  out?: string
}

/**
 * Tables of counts to publish, bought together, made to agree with each other and written with a report. The folder appears
 * when everything is in it; what was paid for can be written again with --free.
 *
 *     reticent release marginals --ways 2 --epsilon 0.3 --out tables
 */
export async function marginals(flags: MarginalsFlags, out: Output, signal?: AbortSignal): Promise<void> {
  const options = { ...optionsOf(flags), signal }
  const format = formatOf(flags.format)
  const data = await open(flags.policy)
  try {
    if (flags.plan) {
      const plan = await data.planMarginals(options)
      await out.result(plan, planText(plan))
    } else {
      const { summary, release, folder } = await released(data, options, format, flags)
      const { cost, raised, spent, left } = release
      await out.result({ ...summary, out: folder.path, cost, raised, spent, left }, releaseText(release))
      await out.note(costText(release, folder))
    }
  } finally {
    await data.close()
  }
}

/** Without the program's own. */
function optionsOf({ policy, json, plan, format, out, ...options }: MarginalsFlags): MarginalsOptions {
  if (options.records !== undefined && !plan)
    throw usage('--records only works with --plan; a release finds the number itself')
  return options
}

function formatOf(text: string): Format {
  if (text === 'csv' || text === 'parquet') return text
  throw usage(`--format is csv or parquet, not ${JSON.stringify(text)}`)
}

/** Buys and writes. The folder is tried before anything is spent; what was paid for is in the history whatever happens after. */
async function released(
  data: Dataset,
  options: MarginalsOptions,
  format: Format,
  flags: MarginalsFlags,
): Promise<{ summary: Summary; release: MarginalsRelease; folder: Folder }> {
  if (flags.out === undefined) throw usage('say where to write the tables: --out DIR', 'Or ask for a --plan first.')
  const folder = await openFolder(flags.out)
  const bar = progressBar(process.stderr)
  try {
    const release = await data.releaseMarginals({ ...options, progress: bar.at })
    bar.end()
    const summary = await publish(release, { folder, format, signal: options.signal }).catch(() => {
      throw unwritten(release, folder, flags, options.signal?.aborted === true)
    })
    return { summary, release, folder }
  } catch (error) {
    bar.end()
    await folder.discard()
    throw error
  }
}

/** Why there is no folder: it could not be written, or somebody wanted the process to end. What was paid for is not lost. */
function unwritten({ cost, receipt }: MarginalsRelease, { path }: Folder, flags: MarginalsFlags, isStopped: boolean) {
  const { ways, of, with: attribute, free, as } = flags
  const which = of === undefined ? [attribute && `--with ${attribute}`, ways && `--ways ${ways}`] : [`--of "${of}"`]
  const who = as === undefined ? [] : [`--as ${as}`]
  const again = ['reticent release marginals', ...which.filter(Boolean), '--free', ...who, '--out DIR'].join(' ')
  return new ReticentError(
    isStopped ? 'interrupted' : 'output-unwritable',
    { path, paid: cost.epsilon, receipt },
    {
      message: isStopped ? 'the release was interrupted' : `the tables could not be written to ${path}`,
      ...(free
        ? {}
        : {
            detail: `ε = ${toldUp(cost.epsilon)} is spent, and the tables are in the history; ${shortReceipt(receipt)}.`,
          }),
      hint: `Write them at no cost: ${again}`,
    },
  )
}
