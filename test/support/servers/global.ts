import { beginRun } from './run.ts'

/** vitest's global set-up: servers are started by the first test that asks for them, and stopped here. */
export default function setup() {
  const run = beginRun()
  return () => run.end()
}
