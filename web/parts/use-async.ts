import { useCallback, useEffect, useState } from 'preact/hooks'

/** What a request has come to. While it runs again the last value stays. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly isLoading: boolean
  readonly again: () => void
}

/** Runs a request when what it depends on changes, after a pause in such changes, and drops the one before. */
export function useAsync<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  dependencies: readonly unknown[],
  pause = 0,
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>({ value: undefined, error: undefined, isLoading: true })
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!load) {
      setState({ value: undefined, error: undefined, isLoading: false })
      return
    }
    const controller = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    const run = async () => {
      try {
        const value = await load(controller.signal)
        if (!controller.signal.aborted) setState({ value, error: undefined, isLoading: false })
      } catch (error) {
        if (!controller.signal.aborted) setState({ value: undefined, error, isLoading: false })
      }
    }
    const timer = setTimeout(run, pause)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [...dependencies, round])
  const again = useCallback(() => setRound((n) => n + 1), [])
  return { ...state, again }
}
