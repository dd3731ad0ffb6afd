import { parentPort, workerData } from 'node:worker_threads'
import { open } from '../../index.ts'
import { carried, type Opened, type Order, type Report } from './protocol.ts'
import type { Surroundings } from './surroundings.ts'
import { type WorkName, work } from './work.ts'

// A thread with one data set. It is told what to do, and says what came of it.
const port = parentPort!
const { policyFile, warm } = workerData as Opened
let data: ReturnType<typeof open> | undefined
/** A data set that cannot be opened now, as its ledger is out of reach perhaps, is tried again the next time. */
const opened = () => {
  data ??= open(policyFile, { warm }).catch((error) => {
    data = undefined
    throw error
  })
  return data
}
// Whoever waits for it hears of a failure below.
opened().catch(() => {})
const running = new Map<number, AbortController>()
const say = (report: Report) => port.postMessage(report)

port.on('message', (order: Order) => {
  if ('end' in order) void end()
  else if ('stop' in order) running.get(order.stop)?.abort()
  else void obey(order)
})

/** In order, so that what was written to disk while the data were read is taken away. */
async function end(): Promise<void> {
  await data?.then((dataset) => dataset.close()).catch(() => {})
  port.close()
}

async function obey({ id, name, given }: Extract<Order, { id: number }>): Promise<void> {
  const stopped = new AbortController()
  running.set(id, stopped)
  const progress = (share: number, doing: string | null) => say({ id, share, doing })
  try {
    const surroundings = { data: await opened(), signal: stopped.signal, progress }
    const value = await (work[name as WorkName] as (given: unknown, s: Surroundings) => Promise<unknown>)(
      given,
      surroundings,
    )
    say({ id, value })
  } catch (error) {
    say({ id, failure: carried(error) })
  } finally {
    running.delete(id)
  }
}
