import { type FreeSynthOptions, type FreeSynthPlan, open, openSynthFiles, publishSynthetic } from '../../index.ts'
import { usage } from '../../schema/index.ts'
import { counted } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { progressBar } from '../progress.ts'
import { costText, releaseText } from '../text/synth.ts'

interface FreeFlags extends GlobalOptions, Pick<FreeSynthOptions, 'alpha' | 'rows' | 'sampling'> {
  method?: string
  plan: boolean
  out?: string
}

/** Flags about buying. */
const foreign = [
  'epsilon',
  'queries',
  'rounds',
  'startShare',
  'fitting',
  'output',
  'ways',
  'marginals',
  'priorShare',
  'check',
  'records',
]

/**
 * A synthetic table from what was released before, at no cost.
 *
 *     reticent synth --free --out made-up.csv
 */
export async function freeSynth(flags: FreeFlags, out: Output, signal?: AbortSignal): Promise<void> {
  for (const [name, value] of Object.entries<unknown>({ ...flags }))
    if (foreign.includes(name) && value !== undefined)
      throw usage(
        `--free does not go with --${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        'A free table is made from earlier answers alone, and nothing is bought for it.',
      )
  const { method, alpha, rows, sampling, out: path } = flags
  const options: FreeSynthOptions = { method: method as FreeSynthOptions['method'], alpha, rows, sampling, signal }
  if (!flags.plan && path === undefined)
    throw usage('say where to write the table: --out FILE', 'Or ask for a --plan first.')
  const data = await open(flags.policy)
  const files = path === undefined ? undefined : await openSynthFiles(path)
  const bar = progressBar(process.stderr)
  try {
    if (flags.plan || !files) {
      const plan = await data.planFreeSynthesis(options)
      await out.result(plan, planText(plan))
      return
    }
    const progress: FreeSynthOptions['progress'] = ({ share, doing }) => bar.at(share, doing)
    const release = await data.synthesizeFree({ ...options, progress })
    bar.end()
    const summary = await publishSynthetic(release, { files, signal })
    const { cost, raised, spent, left } = release
    await out.result({ ...summary, out: files.path, cost, raised, spent, left }, releaseText(release, summary))
    await out.note(costText(release, files))
  } finally {
    bar.end()
    await files?.discard()
    await data.close()
  }
}

const planText = ({ method, answers, numbers }: FreeSynthPlan): string =>
  `${method} · from ${counted(answers, 'earlier answer')}, ${counted(numbers, 'noisy number')} · costs nothing`
