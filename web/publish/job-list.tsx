import type { Job } from '../../src/client/index.ts'
import { hashOf } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { whenText } from '../history/when.ts'
import { Price } from '../parts/cost.tsx'
import { plural } from '../parts/number.ts'

const names: Record<Job['kind'], string> = { marginals: 'Tables', tree: 'Ranges', synth: 'Synthetic data' }
const tones: Record<Job['state'], string> = {
  waiting: '',
  running: 'paid',
  done: 'free',
  failed: 'refused',
  cancelled: 'noise',
}

/** "10 tables", where it is known how many. */
export const jobName = ({ kind, options }: Job): string =>
  kind === 'marginals' && Array.isArray(options.of) ? plural(options.of.length, 'table') : names[kind]
export const JobState = ({ state }: { readonly state: Job['state'] }) => (
  <span class={`badge ${tones[state]}`}>{state}</span>
)

/** What was published before, newest first. */
export function JobList({ jobs }: { readonly jobs: readonly Job[] }) {
  const { place } = useSession()
  if (jobs.length === 0) return null
  return (
    <section class="card" aria-label="Published before">
      <h2>Published before</h2>
      <div class="scrolls">
        <table class="plain">
          <tbody>
            {[...jobs]
              .sort((a, b) => b.created.localeCompare(a.created))
              .map((job) => (
                <tr key={job.id}>
                  <td>
                    <a href={hashOf('publish', { ...place, job: job.id })}>{jobName(job)}</a>
                  </td>
                  <td class="soft nowrap">{whenText(job.created)}</td>
                  <td class="soft">{job.analyst ?? ''}</td>
                  <td>
                    <JobState state={job.state} />
                  </td>
                  <td class="numeric">{job.cost && <Price epsilon={job.cost.epsilon} />}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
