// Creates ledgers for ledger-maker.ts, which waits meanwhile.
import { parentPort } from 'node:worker_threads'
import { createLedgerFor } from '../../dist/index.js'

parentPort.on('message', async ({ policy, done, reply }) => {
  const failure = await createLedgerFor(policy).then(
    () => null,
    (error) => String(error),
  )
  reply.postMessage({ failure })
  Atomics.store(done, 0, 1)
  Atomics.notify(done, 0)
})
