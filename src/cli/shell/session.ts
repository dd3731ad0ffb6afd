import type { Dataset } from '../../index.ts'
import { usage } from '../../schema/index.ts'
import { askOne } from '../commands/ask.ts'
import { type Output, output } from '../output.ts'
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
    await this.#stoppably((signal) =>
      askOne(this.data, sql, { ...this.settings, plan: false, receipt: false }, this.out, signal),
    )
  }

  /** What a statement would cost: this one, what is typed so far, or the last that was asked. */
  async plan(sql: string): Promise<void> {
    const statement = sql || this.pending.trim() || this.#last
    this.pending = ''
    if (!statement) throw usage('there is no statement to plan', 'Write it behind \\plan.')
    this.#last = statement
    if (!isSet(this.settings)) throw unset()
    await this.#stoppably((signal) =>
      askOne(this.data, statement, { ...this.settings, plan: true, receipt: false }, this.out, signal),
    )
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

  async #stoppably(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running = new AbortController()
    try {
      await work(this.#running.signal)
    } finally {
      this.#running = undefined
    }
  }
}

const unset = () =>
  usage(
    'say first how precise answers must be, or what they may cost',
    '\\within 100 asks for a precision, \\epsilon 0.05 for a price, \\free for what is known already.',
  )
