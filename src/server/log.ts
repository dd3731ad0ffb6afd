/** One line of the log: who did what, and what it cost. Public values only. */
interface LogEntry {
  readonly event: 'listening' | 'request' | 'job' | 'stopping' | 'stopped'
  readonly [name: string]: unknown
}

export type Log = (entry: LogEntry) => void

/** JSON lines, each with its time. */
export const jsonLog =
  (write: (line: string) => void, clock: () => Date = () => new Date()): Log =>
  (entry) =>
    write(`${JSON.stringify({ at: clock().toISOString(), ...entry })}\n`)

/** As much of a statement as one reads in a log. */
export const shortened = (text: string): string => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text)
