import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Cost,
  type FreeSynthOptions,
  openFolder,
  openSynthFiles,
  publish,
  publishSynthetic,
  type SynthOptions,
} from '../../index.ts'
import { stopIfAborted } from '../../schema/index.ts'
import type { JobPlan, JobRequest, JobTables } from '../api/index.ts'
import type { Surroundings } from '../threads/surroundings.ts'
import { tablesOfRelease, tablesOfRows } from './tables.ts'

type Of<K extends JobRequest['kind']> = Extract<JobRequest, { kind: K }>['options']

/** What is left of a job when it is done: its folder has its files and its tables. */
interface JobOutcome {
  readonly cost: Cost
  readonly summary: unknown
}

/** A job, and the folder that it writes into. */
interface JobOrder {
  readonly request: JobRequest
  readonly folder: string
}

/** Where a job's files are, and its tables for charts. */
export const filesIn = (folder: string): string => join(folder, 'files')
export const tablesIn = (folder: string): string => join(folder, 'tables.json')

/** What it would cost; buys nothing. */
export async function planJob({ kind, options }: JobRequest, { data, signal }: Surroundings): Promise<JobPlan> {
  if (kind === 'tree') return data.planTree({ ...options, signal })
  if (kind === 'marginals') {
    const { format: _, ...asked } = options
    return data.planMarginals({ ...asked, signal })
  }
  const { format: _, free, ...asked } = options
  if (free) return data.planFreeSynthesis(freely(asked))
  return data.planSynthesis({ ...(asked as SynthOptions), signal })
}

/** Nobody pays for a free table, so nobody is asked who. */
function freely({ as: _, ...options }: Omit<Of<'synth'>, 'free' | 'format'>): FreeSynthOptions {
  return options as FreeSynthOptions
}

/** Buys it and writes it down. */
export async function runJob({ request, folder }: JobOrder, surroundings: Surroundings): Promise<JobOutcome> {
  stopIfAborted(surroundings.signal)
  switch (request.kind) {
    case 'tree': {
      const { cost, ...release } = await surroundings.data.releaseTree({
        ...request.options,
        signal: surroundings.signal,
      })
      return { cost, summary: release }
    }
    case 'marginals':
      return marginals(request.options, folder, surroundings)
    case 'synth':
      return synth(request.options, folder, surroundings)
  }
}

async function marginals(
  { format = 'csv', records: _, ...options }: Of<'marginals'>,
  folder: string,
  { data, signal, progress }: Surroundings,
): Promise<JobOutcome> {
  const files = await openFolder(filesIn(folder))
  try {
    const release = await data.releaseMarginals({ ...options, signal, progress: (share) => progress(share, null) })
    keepTables(folder, tablesOfRelease(release))
    const { cost } = release
    return { cost, summary: await publish(release, { folder: files, format, signal }) }
  } catch (error) {
    await files.discard()
    throw error
  }
}

async function synth(
  { format = 'csv', free, records: _, ...options }: Of<'synth'>,
  folder: string,
  { data, signal, progress }: Surroundings,
): Promise<JobOutcome> {
  mkdirSync(filesIn(folder), { recursive: true })
  const files = await openSynthFiles(join(filesIn(folder), `synthetic.${format}`))
  try {
    const following = {
      signal,
      progress: ({ share, doing }: { share: number; doing: string }) => progress(share, doing),
    }
    const release = free
      ? await data.synthesizeFree({ ...freely(options), ...following })
      : await data.synthesize({ ...(options as SynthOptions), ...following })
    keepTables(folder, tablesOfRows(release))
    return { cost: release.cost, summary: await publishSynthetic(release, { files, signal }) }
  } catch (error) {
    await files.discard()
    throw error
  }
}

const keepTables = (folder: string, tables: JobTables): void =>
  writeFileSync(tablesIn(folder), JSON.stringify(tables), { mode: 0o600 })
