/** How a process ends that was told to: 128 and the number of the signal. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const

/** Whether somebody wants this process to end. */
export interface Interruption {
  /** Aborted when the first signal comes. Who asks for it must look at it: signals do nothing else from then on. */
  signal(): AbortSignal
  /** For a command that ends because it was told to, and has done all it had to: its own status counts. */
  settle(): void
  /** The exit status that says so; undefined while nobody does. */
  status(): number | undefined
}

/**
 * SIGINT and SIGTERM end a process at once, unless a command asks for the signal. Then the first one asks the command to stop
 * where it may, so that runs are closed and unfinished files are removed, and the second ends the process at once.
 */
export function interruption(): Interruption {
  const stopped = new AbortController()
  let status: number | undefined
  const names = Object.keys(signals) as (keyof typeof signals)[]
  const stop = (name: keyof typeof signals) => {
    status = signals[name]
    for (const each of names) process.off(each, stop)
    stopped.abort()
  }
  return {
    signal: () => {
      for (const name of names) process.once(name, stop)
      return stopped.signal
    },
    settle: () => {
      status = undefined
    },
    status: () => status,
  }
}
