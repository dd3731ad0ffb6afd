import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { problem } from '../../schema/index.ts'
import type { Job, JobFile } from '../api/index.ts'
import { filesIn, tablesIn } from './work.ts'

/** A job as it is kept on disk, so that a restart knows of it. */
export interface StoredJob extends Omit<Job, 'files'> {
  /** Who started it; null where the server had no tokens. */
  readonly tokenId: string | null
  /** The process that it runs in. Undefined in states of older versions. */
  readonly process?: number
  /** Rows of the ledger after this one may be its own; null before it has begun. */
  readonly since: number | null
  /** Whether its files were deleted once it was done. */
  readonly deleted?: boolean
}

export const hasEnded = ({ state }: Pick<Job, 'state'>): boolean => state !== 'waiting' && state !== 'running'

/** Where the jobs of a policy are: beside it. */
export const jobsFolderOf = (policyFile: string): string => `${policyFile}.jobs`

/** How often a job that is under way is touched, in milliseconds. */
export const heartbeat = 5000

/** Where the system does not tell, it may be. */
const isAlive = (id: number): boolean => !existsSync('/proc/self') || existsSync(`/proc/${id}`)

/** One folder per job, with its state, its tables and its files. */
export class JobFolder {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  of(id: string): string {
    return join(this.#root, id)
  }

  /** All that were ever started, oldest first, but for those that another server is at work on. */
  read(): StoredJob[] {
    if (!existsSync(this.#root)) return []
    const found = readdirSync(this.#root).flatMap((id) => {
      try {
        const job = JSON.parse(readFileSync(this.#stateOf(id), 'utf8')) as StoredJob
        return this.#isElsewhere(job) ? [] : [job]
      } catch {
        // A folder without a state is not a job: it died while it was made, before anything was paid for.
        return []
      }
    })
    return found.sort((a, b) => (a.created < b.created ? -1 : 1))
  }

  write(job: StoredJob): void {
    const folder = this.of(job.id)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, 'state.json.new')
      writeFileSync(draft, `${JSON.stringify(job, null, 1)}\n`, { mode: 0o600 })
      renameSync(draft, this.#stateOf(job.id))
    } catch {
      throw problem('output-unwritable', 'the folder of jobs cannot be written', undefined, { path: folder })
    }
  }

  /** Says that the job is still being worked on. */
  touch(id: string): void {
    const now = new Date()
    try {
      utimesSync(this.#stateOf(id), now, now)
    } catch {
      // Its folder was deleted: then there is nobody to tell.
    }
  }

  /** In a process that runs and has touched it a moment ago: another may have come by the number of one that died. */
  #isElsewhere({ id, state, process: worker }: StoredJob): boolean {
    const isUnderWay = state === 'waiting' || state === 'running'
    if (!isUnderWay || worker === undefined || worker === process.pid) return false
    return isAlive(worker) && Date.now() - statSync(this.#stateOf(id)).mtimeMs < 3 * heartbeat
  }

  #stateOf(id: string): string {
    return join(this.of(id), 'state.json')
  }

  /** All that its folder takes up. */
  bytes(id: string): number {
    try {
      const entries = readdirSync(this.of(id), { withFileTypes: true, recursive: true })
      return entries.reduce((sum, e) => sum + statSync(join(e.parentPath, e.name)).size, 0)
    } catch {
      // Files come and go while a job is under way, and an owner may delete its folder.
      return 0
    }
  }

  /** Deletes what it has made; that it was there remains known. */
  clear(id: string): void {
    for (const path of [filesIn(this.of(id)), tablesIn(this.of(id))]) rmSync(path, { recursive: true, force: true })
  }
  forget(id: string): void {
    rmSync(this.of(id), { recursive: true, force: true })
  }

  files(id: string): JobFile[] {
    const folder = filesIn(this.of(id))
    if (!existsSync(folder)) return []
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => ({ name, bytes: statSync(join(folder, name)).size }))
  }
}
