import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { run } from '../../src/cli/program.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/** Runs a command of the CLI in this process, as if in that folder, and says what it printed. One at a time. */
export async function commandHere(folder: string, args: readonly string[]) {
  const [from, listeners] = [process.cwd(), signals.map((name) => process.listeners(name))]
  const streams = [new PassThrough(), new PassThrough()] as const
  const heard = Promise.all(streams.map((stream) => text(stream)))
  const spies = (['stdout', 'stderr'] as const).map((name, i) =>
    vi.spyOn(process, name, 'get').mockReturnValue(streams[i] as never),
  )
  process.chdir(folder)
  try {
    const status = await run(['node', 'reticent', ...args])
    for (const stream of streams) stream.end()
    const [stdout, stderr] = await heard
    return { status, stdout: stdout!, stderr: stderr! }
  } finally {
    process.chdir(from)
    for (const spy of spies) spy.mockRestore()
    // A command listens for signals until its process ends.
    for (const [i, name] of signals.entries())
      for (const each of process.listeners(name)) if (!listeners[i]!.includes(each)) process.off(name, each)
  }
}
