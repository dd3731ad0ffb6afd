import { useEffect, useState } from 'preact/hooks'
import type { Job } from '../../src/client/index.ts'
import { hashOf } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { whenText } from '../history/when.ts'
import { Price } from '../parts/cost.tsx'
import { Failure } from '../parts/failure.tsx'
import { percentText } from '../parts/number.ts'
import { Files } from './files.tsx'
import { JobState, jobName } from './job-list.tsx'
import { Quality } from './quality.tsx'
import { Tables } from './tables.tsx'

/** One release: its progress while it runs, then its tables, files and report. */
export function JobView({ id, ended }: { readonly id: string; readonly ended: (job: Job) => void }) {
  const { place } = useSession()
  const { job, error } = useJob(id, ended)
  return (
    <div class="stack">
      <div class="row spread">
        <div class="row">
          <h1>{job ? jobName(job) : 'Release'}</h1>
          {job && <JobState state={job.state} />}
        </div>
        <a class="button small" href={hashOf('publish', place)}>
          Publish something else
        </a>
      </div>
      {error !== undefined && <Failure error={error} />}
      {job && (
        <p class="soft">
          {whenText(job.created)}
          {job.analyst !== null && ` · ${job.analyst}`}
          {job.cost && (
            <>
              {' · '}
              <Price epsilon={job.cost.epsilon} />
            </>
          )}
        </p>
      )}
      {job && (job.state === 'running' || job.state === 'waiting') && <Progress job={job} />}
      {job?.error && (
        <div class="notice refused">
          <p class="title">{job.error.message}</p>
          {job.error.hint && <p>{job.error.hint}</p>}
        </div>
      )}
      {job?.state === 'cancelled' && <p class="notice">It was stopped. What it had spent by then stays spent.</p>}
      {job?.state === 'done' && <Quality job={job} />}
      {job && job.files.length > 0 && <Files job={job} />}
      {job?.state === 'done' && <Tables id={job.id} />}
    </div>
  )
}

/** Follows a job until it has ended. */
function useJob(id: string, ended: (job: Job) => void): { job: Job | undefined; error: unknown } {
  const { dataset } = useSession()
  const [state, setState] = useState<{ job: Job | undefined; error: unknown }>({ job: undefined, error: undefined })
  useEffect(() => {
    const controller = new AbortController()
    const follow = async () => {
      const first = await dataset.job(id, { signal: controller.signal })
      setState({ job: first, error: undefined })
      if (first.state !== 'running' && first.state !== 'waiting') return
      let last = first
      for await (const job of dataset.follow(id, { signal: controller.signal })) {
        last = job
        setState({ job, error: undefined })
      }
      ended(last)
    }
    follow().catch((error) => {
      if (!controller.signal.aborted) setState((before) => ({ ...before, error }))
    })
    return () => controller.abort()
  }, [dataset, id])
  return state
}

function Progress({ job }: { readonly job: Job }) {
  const { dataset } = useSession()
  const [isStopping, setStopping] = useState(false)
  const stop = async () => {
    setStopping(true)
    await dataset.cancelJob(job.id).catch(() => setStopping(false))
  }
  return (
    <section class="card stack" aria-label="Progress">
      <div class="row spread">
        <p aria-live="polite">{job.doing ?? (job.state === 'waiting' ? 'Waiting for its turn' : 'Measuring')}</p>
        <span>{percentText(job.share)}</span>
      </div>
      <progress max={1} value={job.share} aria-label="Progress" />
      <div class="row">
        <button type="button" class="button small" disabled={isStopping} onClick={stop}>
          {isStopping ? 'Stopping…' : 'Stop'}
        </button>
        <span class="small soft">You may leave this page; the job continues.</span>
      </div>
    </section>
  )
}
