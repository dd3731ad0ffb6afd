import type { Grant } from '../access/access.ts'
import type { JobRequest } from '../api/index.ts'
import { HttpRefusal } from '../http-refusal.ts'
import { hasEnded, type JobFolder, type StoredJob } from './job-folder.ts'

/** What jobs may take up: a free one costs no budget, so nothing else would stop an analyst from filling the disk. */
export interface JobLimits {
  /** Rows of one synthetic table: all of them are in memory before they are written. */
  readonly rows: number
  /** Bytes that the jobs of one analyst's token may keep. */
  readonly bytes: number
  /** Bytes that all jobs of a data set may keep. */
  readonly allBytes: number
  /** Days after which the files of a job are deleted; 0: never. */
  readonly days: number
}

export const defaultLimits: JobLimits = { rows: 10_000_000, bytes: 5e9, allBytes: 20e9, days: 0 }

/** Jobs under way, of all together and of one token. */
const mostUnderWay = 21
const mostOfOne = 5
/** Jobs with files that one token may have. */
const mostKept = 1000
/** Of jobs that left nothing, so many of one token are remembered. */
const mostRemembered = 100
/** An owner may delete a folder by hand: sizes are read again before somebody is refused, but not more often than this. */
const milliseconds = 10_000

const day = 86_400_000

/** The jobs of one data set, measured by what they may take up. */
export class JobSpace {
  readonly #folder: JobFolder
  readonly #limits: JobLimits
  readonly #jobs: ReadonlyMap<string, StoredJob>
  /** Bytes of jobs that have ended. */
  readonly #sizes = new Map<string, number>()
  #readAt = Number.NEGATIVE_INFINITY

  constructor(folder: JobFolder, limits: JobLimits, jobs: ReadonlyMap<string, StoredJob>) {
    this.#folder = folder
    this.#limits = limits
    this.#jobs = jobs
  }

  /** Throws where one more job is too many, or it would make too many rows. */
  admit(request: JobRequest, grant: Grant): void {
    const { rows } = this.#limits
    if (request.kind === 'synth' && Number(request.options.rows) > rows)
      throw new HttpRefusal('too-large', `a synthetic table may have at most ${rows} rows here`, 'Ask for fewer rows.')
    const underWay = this.#those((job) => !hasEnded(job))
    const own = underWay.filter(({ tokenId }) => tokenId === grant.tokenId)
    if (underWay.length >= mostUnderWay || (grant.role === 'analyst' && own.length >= mostOfOne))
      throw new HttpRefusal('too-many-requests', 'too many jobs are waiting', 'Try again when some have ended.')
    if (grant.role === 'analyst' && this.#kept(grant).length >= mostKept)
      throw new HttpRefusal('too-large', `this token has the files of ${mostKept} jobs`, tidy)
    if (this.isFull(grant)) throw this.full()
  }

  /** Whether no room is left for whoever this is, also counting what a job that is under way has written. */
  isFull(grant: Grant, running?: string): boolean {
    const isOver = () => {
      const now = running === undefined ? 0 : this.#folder.bytes(running)
      const of = (jobs: readonly StoredJob[]) => jobs.reduce((sum, job) => sum + this.#sizeOf(job), now)
      const { bytes, allBytes } = this.#limits
      return (grant.role === 'analyst' && of(this.#kept(grant)) >= bytes) || of(this.#those(isKept)) >= allBytes
    }
    if (!isOver()) return false
    if (performance.now() - this.#readAt < milliseconds) return true
    this.#readAt = performance.now()
    this.#sizes.clear()
    return isOver()
  }

  full(): HttpRefusal {
    return new HttpRefusal('too-large', 'the files of jobs take up all the room that they may', tidy)
  }

  /** Its files were deleted, or there are new ones. */
  changed(id: string): void {
    this.#sizes.delete(id)
  }

  /** Jobs whose files are so old that they go. */
  outdated(): StoredJob[] {
    const { days } = this.#limits
    if (days === 0) return []
    return this.#those((job) => isKept(job) && Date.now() - Date.parse(job.ended!) > days * day)
  }

  /** Jobs of a token that left nothing, and are so many that nobody need remember the oldest. */
  forgettable(token: string | null): StoredJob[] {
    return this.#those((job) => job.tokenId === token && hasEnded(job) && !isKept(job)).slice(0, -mostRemembered)
  }

  #those(is: (job: StoredJob) => boolean): StoredJob[] {
    return [...this.#jobs.values()].filter(is)
  }
  #kept({ tokenId }: Grant): StoredJob[] {
    return this.#those((job) => isKept(job) && job.tokenId === tokenId)
  }
  #sizeOf({ id }: StoredJob): number {
    const known = this.#sizes.get(id) ?? this.#folder.bytes(id)
    this.#sizes.set(id, known)
    return known
  }
}

const isKept = ({ state, deleted }: StoredJob): boolean => state === 'done' && deleted !== true

const tidy = 'Delete the files of jobs that nobody needs any more (DELETE …/jobs/ID/files), or ask the owner.'
