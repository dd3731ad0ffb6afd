import type { Dataset } from '../../index.ts'
import { usage } from '../../schema/index.ts'
import { askOne } from '../commands/ask.ts'
import { askHistoryModel } from '../commands/ask-model.ts'
import { type Output, output, type Text } from '../output.ts'
import type { OutputFormat } from '../output-format.ts'
import { isSet, type Settings } from './settings.ts'

/** One sitting: an opened table, how it is asked, and what is typed of the next statement. */
export class ShellSession {
  readonly data: Dataset
  settings: Settings
  out: Output
  /** Lines of a statement that has not ended. */
  pending = ''
  isOver = false
  /** Whether anything was refused or failed. */
  hasFailed = false
  #last: string | undefined
  #running: AbortController | undefined

  constructor(data: Dataset, settings: Settings, out: Output) {
    this.data = data
    this.settings = settings
    this.out = out
  }

  async ask(sql: string): Promise<void> {
    this.#last = sql
    if (!isSet(this.settings)) throw unset()
    await this.#stoppably((out, signal) =>
      askOne(this.data, sql, { ...this.settings, plan: false, receipt: false }, out, signal),
    )
  }

  /** What a statement would cost: this one, what is typed so far, or the last that was asked. */
  async plan(sql: string): Promise<void> {
    const statement = this.#statement(sql)
    if (!isSet(this.settings)) throw unset()
    await this.#stoppably((out, signal) =>
      askOne(this.data, statement, { ...this.settings, plan: true, receipt: false }, out, signal),
    )
  }

  /** What a model fitted to the history says about it. */
  async askModel(model: string, sql: string): Promise<void> {
    const statement = this.#statement(sql)
    await this.#stoppably((out, signal) => askHistoryModel(this.data, statement, { model, signal }, out))
  }

  #statement(sql: string): string {
    const statement = sql || this.pending.trim() || this.#last
    this.pending = ''
    if (!statement) throw usage('there is no statement yet', 'Write it after the command.')
    this.#last = statement
    return statement
  }

  print(format: OutputFormat): void {
    this.out = output(format)
  }

  /** Stops the question that is under way, where it may be stopped; else drops what is typed. Says which of them there was. */
  interrupt(): 'running' | 'typed' | 'nothing' {
    if (this.#running) {
      this.#running.abort()
      return 'running'
    }
    const was = this.pending === '' ? 'nothing' : 'typed'
    this.pending = ''
    return was
  }

  quit(): void {
    this.isOver = true
  }

  async #stoppably(work: (out: Output, signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running = new AbortController()
    const { signal } = this.#running
    try {
      await work(untilStopped(this.out, signal), signal)
    } finally {
      this.#running = undefined
    }
  }
}

/** A long table is printed until somebody stops it. */
const untilStopped = (out: Output, signal: AbortSignal): Output => ({
  ...out,
  result: (value, text, csv) => out.result(value, linesUntil(text, signal), csv && linesUntil(csv, signal)),
})

function* linesUntil(text: Text, signal: AbortSignal): Iterable<string> {
  for (const line of typeof text === 'string' ? [text] : text) {
    if (signal.aborted) return
    yield line
  }
}

const unset = () =>
  usage(
    'say first how precise answers must be, or what they may cost',
    '\\within 100 asks for a precision, \\epsilon 0.05 for a price, \\free for what is known already.',
  )
