/** The shortest of a few runs, in milliseconds: noise of the machine only ever adds. */
export function fastest<T>(now: () => number, times: number, run: () => T): { milliseconds: number; value: T } {
  let best = Number.POSITIVE_INFINITY
  let value!: T
  for (let i = 0; i < times; i++) {
    const start = now()
    value = run()
    best = Math.min(best, now() - start)
  }
  return { milliseconds: best, value }
}
