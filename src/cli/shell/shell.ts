import { createInterface, type Interface } from 'node:readline'
import { open } from '../../index.ts'
import { number, shortReceipt } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { visibleCell } from '../visible.ts'
import { completions } from './completion.ts'
import { ShellSession } from './session.ts'
import type { Settings } from './settings.ts'
import { finish, take } from './take.ts'

type ShellFlags = GlobalOptions & Settings

/**
 * A prompt for questions in SQL, on one opened table. How precise answers must be is said once and kept. Where nobody sits in front of
 * it, it reads its lines from a pipe, and its status is 1 if anything was refused.
 *
 *     reticent shell --within 100
 */
export async function shell(
  { policy, json: _, ...settings }: ShellFlags,
  out: Output,
  signal: AbortSignal,
): Promise<number> {
  const data = await open(policy)
  try {
    const session = new ShellSession(data, settings, out)
    const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY)
    if (isTerminal)
      await out.note(`${await greeting(session)}\nSQL ends in a semicolon; \\help lists what else there is.`)
    await (isTerminal ? atTerminal(session, signal) : fromPipe(session, signal))
    return session.hasFailed && !isTerminal ? 1 : 0
  } finally {
    await data.close()
  }
}

async function greeting({ data }: ShellSession): Promise<string> {
  const { dataset, spent, left, cap } = await data.budget()
  return `${dataset} · spent ε ${number(spent.epsilon)} of ${number(cap.epsilon)} · left ${number(left.epsilon)}`
}

async function fromPipe(session: ShellSession, signal: AbortSignal): Promise<void> {
  const lines = createInterface({ input: process.stdin, terminal: false })
  stopWith(signal, session, lines)
  for await (const line of lines) {
    await take(session, line)
    if (session.isOver) break
  }
  if (!signal.aborted) await finish(session)
}

async function atTerminal(session: ShellSession, signal: AbortSignal): Promise<void> {
  const asked = (await session.data.history()).flatMap(({ statement }) => (statement === null ? [] : [statement]))
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: true,
    completer: (line: string) => completions(line, session.data.policy),
    // What was asked before is above the first line.
    history: [...new Set(asked.map((sql) => `${visibleCell(sql.replace(/\s+/g, ' '))};`).reverse())],
    historySize: 1000,
    removeHistoryDuplicates: true,
  })
  const ready = () => {
    const name = visibleCell(session.data.policy.dataset)
    lines.setPrompt(session.pending === '' ? `${name}> ` : `${'-'.padStart(name.length)}> `)
    lines.prompt()
  }
  let recent: string[] = []
  lines.on('history', (entries) => {
    recent = entries
  })
  stopWith(signal, session, lines)
  const typed: string[] = []
  lines.on('SIGINT', () => {
    const stopped = session.interrupt()
    // A question that is stopped says so itself.
    if (stopped === 'running') return
    const isEmpty = stopped === 'nothing' && lines.line === ''
    typed.length = 0
    lines.write(null, { ctrl: true, name: 'e' })
    lines.write(null, { ctrl: true, name: 'u' })
    process.stdout.write(isEmpty ? '^C (Ctrl-D leaves)\n' : '^C\n')
    ready()
  })
  ready()
  for await (const line of lines) {
    typed.push(line)
    await take(session, line)
    if (session.isOver) break
    if (session.pending === '') remember(recent, typed.splice(0))
    ready()
  }
  lines.close()
  if (!session.isOver) process.stdout.write('\n')
  await session.out.note(shortReceipt((await session.data.budget()).receipt))
}

/** Of a statement in several lines the history of the prompt, newest first, has one entry, with all of it. */
function remember(recent: string[], typed: readonly string[]): void {
  if (typed.length < 2) return
  const lines = new Set(typed)
  while (recent.length > 0 && lines.has(recent[0]!)) recent.shift()
  recent.unshift(typed.map((line) => line.trim()).join(' '))
}

/** A signal to the process stops what is under way and ends the session. */
function stopWith(signal: AbortSignal, session: ShellSession, lines: Interface): void {
  signal.addEventListener('abort', () => {
    session.interrupt()
    session.quit()
    lines.close()
  })
}
