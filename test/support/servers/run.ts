import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/**
 * One run of the tests. Its folder holds what test files share, each in a process of its own: the servers that were
 * started, by name, and the suites that could not run, with the reason.
 */
const folderOfRun = 'RETICENT_TEST_RUN'

interface RunningServer {
  readonly pid: number
  /** A folder of the server's own, removed with it. */
  readonly folder: string
}

/** Where temporary files were before the run. */
const outerFolder = 'RETICENT_TEST_OUTER_TMPDIR'

/** Begins a run: in vitest's own process, before any test. What tests and their programs make in `tmpdir()` ends with it. */
export function beginRun(): { end(): Promise<void> } {
  const outer = tmpdir()
  const folder = mkdtempSync(join(outer, 'reticent-tests-'))
  writeFileSync(join(folder, 'pid'), String(process.pid))
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  // Servers that run as somebody else find their folders in there.
  for (const path of [folder, temporary]) chmodSync(path, 0o711)
  // Compiled code stays for the next program, thread and run: a server's thread reads hundreds of sources, and starts often.
  const compiled = join(outer, 'node-compile-cache')
  Object.assign(process.env, {
    [folderOfRun]: folder,
    [outerFolder]: outer,
    TMPDIR: temporary,
    NODE_COMPILE_CACHE: compiled,
  })
  return {
    async end() {
      for (const name of lines(join(folder, 'servers')))
        await stopServer(JSON.parse(readFileSync(join(folder, name), 'utf8')))
      const missing = [...new Set(lines(join(folder, 'not-run')))]
      for (const line of missing) process.stderr.write(`NOT RUN: ${line}\n`)
      process.env.TMPDIR = outer
      await removeAll(folder)
    },
  }
}

/** The watcher of a server removes its folder meanwhile, and a removal that misses a folder stops without a word. */
async function removeAll(folder: string): Promise<void> {
  for (let tried = 0; existsSync(folder) && tried < 100; tried++) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    await setTimeout(50)
  }
}

/** For what is unpacked once and stays for later runs. */
export async function inOuterFolder<T>(work: () => Promise<T>): Promise<T> {
  const { TMPDIR, [outerFolder]: outer } = process.env
  if (outer === undefined) return work()
  process.env.TMPDIR = outer
  try {
    return await work()
  } finally {
    process.env.TMPDIR = TMPDIR
  }
}

const lines = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])

/** Says at the end of the run that a suite did not run, and why. */
export function notRun(suite: string, reason: string): void {
  const folder = process.env[folderOfRun]
  if (folder) appendFileSync(join(folder, 'not-run'), `${suite} (${reason.replaceAll('\n', ' ')})\n`)
}

/** The process whose end is the end of all servers: vitest's, or this one where there is no run. */
export function runProcess(): number {
  const folder = process.env[folderOfRun]
  return folder ? Number(readFileSync(join(folder, 'pid'), 'utf8')) : process.pid
}

/**
 * The one server of this name in this run. The first who asks starts it, the others wait for that; it is stopped at the
 * end of the run. Without a run, whoever asks has one of their own.
 */
export async function sharedServer<S extends RunningServer>(name: string, start: () => Promise<S>): Promise<S> {
  const folder = process.env[folderOfRun]
  if (!folder) return start()
  const [claim, record, failure] = ['claim', 'json', 'failed'].map((end) => join(folder, `${name}.${end}`))
  try {
    mkdirSync(claim!)
  } catch {
    while (!existsSync(record!)) {
      if (existsSync(failure!)) throw new Error(readFileSync(failure!, 'utf8'))
      await setTimeout(50)
    }
    return JSON.parse(readFileSync(record!, 'utf8'))
  }
  try {
    const server = await start()
    writeFileSync(`${record}.new`, JSON.stringify(server))
    renameSync(`${record}.new`, record!)
    appendFileSync(join(folder, 'servers'), `${name}.json\n`)
    return server
  } catch (error) {
    writeFileSync(failure!, error instanceof Error ? error.message : String(error))
    throw error
  }
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Stops a server by its pid, and waits until it is gone. */
export async function stopServer({ pid, folder }: RunningServer, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (isRunning(pid)) process.kill(pid, signal)
  for (let waited = 0; isRunning(pid); waited++) {
    if (waited === 200) process.kill(pid, 'SIGKILL')
    await setTimeout(25)
  }
  rmSync(folder, { recursive: true, force: true })
}
