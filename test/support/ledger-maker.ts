import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

let thread: Worker | undefined

/**
 * Creates the ledger of a policy as `reticent ledger create` does, and returns when it is there. A thread of this process does it, for all
 * workspaces of a test file: a program that starts for each of them takes ten times as long.
 */
export function makeLedger(policy: string): void {
  thread ??= new Worker(new URL('./ledger-thread.mjs', import.meta.url))
  thread.unref()
  const { port1, port2 } = new MessageChannel()
  const done = new Int32Array(new SharedArrayBuffer(4))
  thread.postMessage({ policy, done, reply: port2 }, [port2])
  Atomics.wait(done, 0, 0)
  const { failure } = receiveMessageOnPort(port1)!.message
  port1.close()
  if (failure !== null) throw new Error(failure)
}
