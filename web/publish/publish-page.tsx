import { useEffect, useState } from 'preact/hooks'
import type { Job, JobRequest } from '../../src/client/index.ts'
import { hashOf, type Route } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { Failure } from '../parts/failure.tsx'
import { useAsync } from '../parts/use-async.ts'
import { JobList } from './job-list.tsx'
import { JobView } from './job-view.tsx'
import { SyntheticForm } from './synthetic-form.tsx'
import { TablesForm } from './tables-form.tsx'

/** Publish: tables that agree with each other, or a synthetic table. */
export function PublishPage({ parameters }: Pick<Route, 'parameters'>) {
  const { dataset, place, refreshBudget } = useSession()
  const jobs = useAsync((signal) => dataset.jobs({ signal }), [dataset])
  const [kind, setKind] = useState<'tables' | 'synthetic'>(parameters.kind === 'synthetic' ? 'synthetic' : 'tables')
  const [refusal, setRefusal] = useState<unknown>()
  useEffect(() => {
    document.title = 'Publish · Reticent'
  }, [])
  const start = async (request: JobRequest) => {
    setRefusal(undefined)
    try {
      const job = await dataset.startJob(request)
      jobs.again()
      location.hash = hashOf('publish', { ...place, job: job.id })
    } catch (error) {
      setRefusal(error)
    }
  }
  const ended = (_: Job) => {
    refreshBudget()
    jobs.again()
  }
  const { job } = parameters
  if (job !== undefined) return <JobView key={job} id={job} ended={ended} />
  const Form = kind === 'tables' ? TablesForm : SyntheticForm
  return (
    <div class="stack">
      <div class="row spread">
        <h1>Publish</h1>
        <fieldset class="segments" aria-label="What to publish">
          <button type="button" aria-pressed={kind === 'tables'} onClick={() => setKind('tables')}>
            Tables
          </button>
          <button type="button" aria-pressed={kind === 'synthetic'} onClick={() => setKind('synthetic')}>
            Synthetic data
          </button>
        </fieldset>
      </div>
      {refusal !== undefined && <Failure error={refusal} />}
      <Form start={start} />
      <JobList jobs={jobs.value ?? []} />
    </div>
  )
}
