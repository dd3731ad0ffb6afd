import { type ChildProcess, type SpawnOptions, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { commandHere } from '../support/command-here.ts'
import { makeLedger } from '../support/ledger-maker.ts'

/** The CLI as built: `npm test` builds before it tests. */
const main = resolve('dist/cli/main.js')
const noise = pathToFileURL(resolve('test/support/repeatable-noise.mjs')).href

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** What --json printed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
  readonly json: any
}

const outcome = (status: number | null, stdout: string, stderr: string): Outcome => ({
  status,
  stdout,
  stderr,
  get json() {
    return JSON.parse(stdout)
  },
})

export const people = [
  'name,age,sex,income,state,born,member',
  ...Array.from({ length: 300 }, (_, i) => {
    const age = 17 + ((i * 7) % 70)
    return `person ${i},${age},${i % 3 === 0 ? 'Female' : 'Male'},${(i * 997) % 200_000},${['CA', 'TX', 'NY', 'GU'][i % 4]},${String(1 + (i % 28)).padStart(2, '0')}.0${1 + (i % 9)}.${2026 - age},${i % 2 === 0}`
  }),
].join('\n')

export const policyText = `dataset: people
source: { duckdb: people.csv }
privacy:
  unit: row
  neighbours: add-remove
  epsilon: 1.0
attributes:
  age:    { integer: [17, 90], closed: true }
  income: { decimal: [0, 200000], step: 1000 }
  sex:    { values: [Female, Male], closed: true }
  state:  { values: [CA, TX, NY], other: true }
  born:   { date: [1900-01-01, 2026-12-31], by: year, format: DD.MM.YYYY }
  member: { boolean: true }
ledger: { sqlite: people.ledger }
`

/** Programs have noise that is the same on every run of a test, and another for each that it starts. */
const noisy = (...args: readonly string[]) => ['--import', noise, ...args]
let started = 0
const environment = () => ({
  ...process.env,
  RETICENT_TEST_NOISE: `${expect.getState().testPath?.replace(process.cwd(), '')} ${started++}`,
})

/** A folder of its own with a table and a policy, and the CLI run inside it. */
export class Workspace {
  readonly dir = mkdtempSync(join(tmpdir(), 'reticent-'))

  constructor(files: Record<string, string> = {}) {
    for (const [name, text] of Object.entries({ 'people.csv': people, 'reticent.yaml': policyText, ...files }))
      this.write(name, text)
  }

  path(name: string): string {
    return join(this.dir, name)
  }
  write(name: string, text: string | Uint8Array): void {
    writeFileSync(this.path(name), text)
  }
  run(...args: string[]): Outcome {
    return this.feed('', ...args)
  }
  /** The same in this process. To start the program takes fifty times what most refusals do, so tests of many start it for a few. */
  async here(...args: string[]): Promise<Outcome> {
    const { status, stdout, stderr } = await commandHere(this.dir, args)
    return outcome(status, stdout, stderr)
  }
  /** The same with something on standard input. */
  feed(input: string, ...args: string[]): Outcome {
    const { status, stdout, stderr } = spawnSync(process.execPath, noisy(main, ...args), {
      cwd: this.dir,
      env: environment(),
      encoding: 'utf8',
      input,
    })
    return outcome(status, stdout, stderr)
  }
  /** Like run, but many can go at once. */
  start(...args: string[]): Promise<Outcome> {
    return new Promise((done) => {
      const child = this.spawn(args)
      let [stdout, stderr] = ['', '']
      child.stdout!.on('data', (data) => {
        stdout += data
      })
      child.stderr!.on('data', (data) => {
        stderr += data
      })
      child.on('close', (status) => done(outcome(status, stdout, stderr)))
    })
  }
  /** The same for those who watch it, or send it a signal. */
  spawn(args: readonly string[], { env, ...options }: SpawnOptions = {}): ChildProcess {
    return spawn(process.execPath, noisy(main, ...args), {
      ...options,
      cwd: this.dir,
      env: { ...environment(), ...env },
    })
  }
  /** Runs a module of the library's users. */
  script(code: string): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, noisy('--input-type=module', '-e', code), {
      cwd: this.dir,
      env: environment(),
      encoding: 'utf8',
    })
  }
  withLedger(): this {
    makeLedger(this.path('reticent.yaml'))
    return this
  }
}
