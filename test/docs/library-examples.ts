import { open, openFolder, publish, Refusal, ReticentError } from '../../src/index.ts'

// example: asking
export async function asking() {
  const census = await open('reticent.yaml')
  const answer = await census.ask('SELECT COUNT(*) FROM census WHERE age >= 65', { within: 100 })
  if ('estimate' in answer) console.log(answer.estimate, answer.interval, answer.cost.epsilon)

  const groups = await census.ask('SELECT sex, AVG(income) FROM census GROUP BY sex', { epsilon: 0.1 })
  if ('groups' in groups) for (const { key, estimate, within } of groups.groups) console.log(key.sex, estimate, within)
  await census.close()
}

// example: planning before paying
export async function planning() {
  const census = await open('reticent.yaml')
  const plan = await census.plan('SELECT AVG(income) FROM census', { within: 500 })
  const { left } = await census.budget()
  console.log(plan, left.epsilon)
  await census.close()
}

// example: handling refusals
export async function refusals() {
  const census = await open('reticent.yaml')
  try {
    await census.ask('SELECT COUNT(*) FROM census', { within: 1 })
  } catch (error) {
    if (error instanceof Refusal) console.log('not for this budget; for free there is', error.free)
    else if (error instanceof ReticentError) console.log(error.code, error.message, error.hint)
    else throw error
  }
  await census.close()
}

// example: publishing tables
export async function publishing() {
  const census = await open('reticent.yaml')
  const folder = await openFolder('tables')
  const release = await census.releaseMarginals({ ways: 2, epsilon: 0.3 })
  const summary = await publish(release, { folder, format: 'csv' })
  console.log(summary)
  await census.close()
}

// example: stopping
export async function stopping() {
  const census = await open('reticent.yaml')
  const answer = await census.ask('SELECT COUNT(*) FROM census', { within: 50, signal: AbortSignal.timeout(10_000) })
  console.log(answer)
  await census.close()
}
