import type { App, Context } from '../app.ts'
import { requireOwner } from '../app.ts'

const hidden = { schema: { hide: true } as object }

/** Whether the server is well, and what it has done: for those who run it. */
export function systemRoutes(app: App, { served, access, metrics }: Context): void {
  app.get('/healthz', hidden, async () => ({ ok: true }))
  app.get('/metrics', hidden, async (request, reply) => {
    const { grants } = access.callerOf(request.headers.authorization, request.ip)
    for (const grant of grants) requireOwner(grant)
    const states = await Promise.all(
      grants.map(async ({ dataset: name }) => {
        const { dataset, jobs } = served.get(name)!
        const { spent, left } = await dataset.data.budget()
        const running = jobs.list().filter(({ state }) => state === 'running' || state === 'waiting').length
        const labels = { dataset: name }
        return [
          { name: 'reticent_spent_epsilon', labels, value: spent.epsilon },
          { name: 'reticent_left_epsilon', labels, value: left.epsilon },
          { name: 'reticent_jobs_under_way', labels, value: running },
        ]
      }),
    )
    return reply
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(metrics.text(states.flat(), new Set(grants.map(({ dataset }) => dataset))))
  })
}
