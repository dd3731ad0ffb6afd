import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededBits } from '../../src/evaluation/index.ts'
import {
  beginEpoch,
  changeCap,
  checkLedger,
  createLedgerFor,
  type Dataset,
  open,
  ReticentError,
  restoreLedger,
  verifyLedger,
} from '../../src/index.ts'
import { ages, type Lineage, questions, recordsPerCell, SequenceModel } from './sequence-model.ts'

/** What came of a sequence: the first broken rule, and what was done, for whoever has to look into it. */
export interface Played {
  readonly fault?: string
  readonly log: readonly string[]
  readonly given: number
  /** Codes of refusals, with how often. */
  readonly refused: ReadonlyMap<string, number>
}

interface Options {
  readonly steps: number
  /** A careless owner: deletes the file that remembers the ledger's head whenever a ledger is put back. */
  readonly forgetsHead?: boolean
}

/** Nobody cuts the power here, so nothing needs to reach a disk. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Plays random steps of owners, analysts and people with write access on a table of its own. */
export async function play(seed: number, options: Options): Promise<Played> {
  const folder = mkdtempSync(join(memory, 'sequence-'))
  const sequence = new Sequence(folder, seed, options)
  try {
    return await sequence.play()
  } finally {
    await sequence.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Plays so many sequences: what went wrong in any, and how much was done in all of them. */
export async function playAll(count: number, { first = 1, ...options }: Options & { first?: number }) {
  const faults: string[] = []
  const refused = new Map<string, number>()
  let given = 0
  for (let seed = first; seed < first + count; seed++) {
    const played = await play(seed, options)
    given += played.given
    for (const [code, times] of played.refused) refused.set(code, (refused.get(code) ?? 0) + times)
    if (played.fault !== undefined) faults.push(`seed ${seed}: ${played.fault}\n  ${played.log.join('\n  ')}`)
  }
  return { faults, given, refused }
}

const caps = [4, 8] as const
/** Whoever hears these opens the dataset again. */
const outdated = new Set(['policy-changed', 'ledger-rolled-back', 'ledger-unwritable'])
const ledgerFiles = ['', '-wal', '-shm', '-journal']

/** The table as text; the second one has its columns in another order. */
const texts = recordsPerCell.map((records, table) => {
  const rows = ages.flatMap((age) =>
    ['F', 'M'].flatMap((sex) => Array.from({ length: records }, (_, i) => ({ id: `${age}${sex}${i}`, age, sex }))),
  )
  return table === 1
    ? ['sex,id,age', ...rows.map(({ id, age, sex }) => `${sex},${id},${age}`)].join('\n')
    : ['id,age,sex', ...rows.map(({ id, age, sex }) => `${id},${age},${sex}`)].join('\n')
})

/** A ledger's file, wherever it is moved, and the past that it knows. */
interface LedgerFile {
  lineage: Lineage
}

class Sequence {
  readonly #folder: string
  readonly #options: Options
  readonly #uniform: () => number
  readonly #model = new SequenceModel()
  readonly #handles: { readonly dataset: Dataset; readonly ledger: LedgerFile }[] = []
  readonly #log: string[] = []
  readonly #refused = new Map<string, number>()
  readonly #unit: string
  #table = 0
  #cap = 0
  #written = 0
  #current: LedgerFile = { lineage: { epochs: [] } }
  /** Copies of the ledger, and those that were moved aside, with the past that they know. */
  readonly #copies: { readonly path: string; readonly ledger: LedgerFile }[] = []

  constructor(folder: string, seed: number, options: Options) {
    this.#folder = folder
    this.#options = options
    this.#uniform = seededBits(seed).uniform
    this.#unit = this.#pick(['row', '{ column: id, rows: 1 }', '{ column: id, rows: 2 }'])
  }

  async play(): Promise<Played> {
    this.#point(0)
    this.#promise(caps[0])
    await createLedgerFor(this.#policy)
    this.#current.lineage = this.#model.epoch(0)
    await this.#open()
    let fault: string | undefined
    for (let step = 0; step < this.#options.steps && fault === undefined; step++) fault = await this.#step()
    return { fault, log: this.#log, given: this.#model.given, refused: this.#refused }
  }

  async close(): Promise<void> {
    for (const handle of this.#handles) await handle.dataset.close().catch(() => undefined)
  }

  async #step(): Promise<string | undefined> {
    const [name, act] = this.#pick(this.#steps)
    try {
      const fault = await act()
      this.#log.push(fault === undefined ? name : `${name}: ${fault}`)
      if (fault !== undefined) return fault
    } catch (error) {
      if (!(error instanceof ReticentError)) throw error
      this.#log.push(`${name}: ${error.code}`)
      this.#refused.set(error.code, (this.#refused.get(error.code) ?? 0) + 1)
      if (outdated.has(error.code)) await this.#reopen().catch(() => undefined)
    }
    const { spent } = this.#model
    return spent > this.#cap + 1e-9 ? `${spent} was sold of ${this.#cap}` : undefined
  }

  /** Often: questions. Now and then: everything that can go wrong around them. */
  readonly #steps: readonly (readonly [string, () => Promise<string | undefined> | undefined])[] = [
    ...Array.from({ length: 6 }, () => ['ask', () => this.#ask({ epsilon: this.#pick([0.5, 1]) })] as const),
    ...Array.from({ length: 4 }, () => ['ask within', () => this.#ask({ within: this.#pick([1, 2, 4]) })] as const),
    ['ask free', () => this.#ask({ free: true })],
    ['release tree', () => this.#release((handle) => handle.releaseTree({ of: ['age'], fanOut: 2, epsilon: 1 }))],
    [
      'release marginals',
      () =>
        this.#release((handle) =>
          handle.releaseMarginals({ ways: 1, epsilon: 1, floor: 30, method: this.#pick(['ireduct', 'laplace']) }),
        ),
    ],
    ...Array.from({ length: 2 }, () => ['open', () => this.#open()] as const),
    ['close', async () => void (await this.#handles.shift()?.dataset.close())],
    ...Array.from({ length: 2 }, () => ['swap the source', () => this.#point(this.#pick([0, 1, 2]))] as const),
    ...Array.from(
      { length: 3 },
      () => ['swap it back', () => this.#point(this.#model.tableOf(this.#current.lineage))] as const,
    ),
    ...Array.from({ length: 2 }, () => ['copy the ledger', () => this.#copy()] as const),
    ...Array.from({ length: 2 }, () => ['put a ledger back', () => this.#putBack()] as const),
    ['ledger restore', async () => void (await restoreLedger(this.#policy, { plan: false }))],
    ['ledger epoch', () => this.#epoch()],
    ['ledger cap', () => this.#changeCap()],
    ['ledger verify', async () => void (await verifyLedger(this.#policy))],
    ['check', () => checkLedger(this.#policy).then(() => undefined)],
  ]

  get #policy(): string {
    return join(this.#folder, 'reticent.yaml')
  }
  get #ledger(): string {
    return join(this.#folder, 't.ledger')
  }
  #pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.#uniform() * of.length)]!
  }
  #handle() {
    return this.#handles.length === 0 ? undefined : this.#pick(this.#handles)
  }

  async #open(): Promise<undefined> {
    if (this.#handles.length < 3) this.#handles.push({ dataset: await open(this.#policy), ledger: this.#current })
  }

  async #reopen(): Promise<void> {
    while (this.#handles.length > 0) await this.#handles.pop()!.dataset.close()
    await this.#open()
  }

  async #ask(wanted: Parameters<Dataset['ask']>[1]): Promise<string | undefined> {
    const question = this.#pick(questions)
    const handle = this.#handle()
    const answer = await handle?.dataset.ask(question.sql, wanted)
    if (!handle || !answer) return undefined
    // Free answers of a ledger that was moved away were paid for in it, and are about its epoch.
    if (answer.cost.epsilon > 0 && handle.ledger !== this.#current) return 'sold from a ledger that was replaced'
    const told = answer as Parameters<SequenceModel['answered']>[2]
    return this.#model.answered(handle.ledger.lineage, question, told)
  }

  async #release(
    buy: (handle: Dataset) => Promise<{ readonly cost: { readonly epsilon: number } }>,
  ): Promise<string | undefined> {
    const handle = this.#handle()
    if (!handle) return undefined
    const { cost } = await buy(handle.dataset)
    if (handle.ledger !== this.#current) return 'released from a ledger that was replaced'
    this.#model.pay(this.#current.lineage, cost.epsilon)
    return undefined
  }

  /** The source becomes another table: a link that leads elsewhere, a file moved over it, or written again. */
  #point(table: number): undefined {
    const source = join(this.#folder, 't.csv')
    const draft = join(this.#folder, `draft-${this.#written++}.csv`)
    const way = this.#pick(['link', 'link', 'link', 'move', 'write'])
    if (way === 'link') {
      const target = join(this.#folder, `table-${table}.csv`)
      if (!existsSync(target)) writeFileSync(target, texts[table]!)
      symlinkSync(target, draft)
      renameSync(draft, source)
    } else if (way === 'move' || !existsSync(source)) {
      writeFileSync(draft, texts[table]!)
      renameSync(draft, source)
    } else {
      // Not through a link: that would change the table that it leads to.
      copyFileSync(source, draft)
      renameSync(draft, source)
      writeFileSync(source, texts[table]!)
    }
    this.#table = table
    this.#log.push(`${way} ${table}`)
  }

  #promise(cap: number): void {
    const text = `dataset: t
source: { duckdb: t.csv }
privacy: { unit: ${this.#unit}, neighbours: add-remove, epsilon: ${cap} }
attributes:
  age: { integer: [${ages[0]}, ${ages.at(-1)}], closed: true }
  sex: { values: [F, M], closed: true }
ledger: { sqlite: t.ledger }
`
    writeFileSync(this.#policy, text)
    this.#cap = cap
  }

  #copy(): undefined {
    const path = join(this.#folder, `copy-${this.#written++}`)
    for (const end of ledgerFiles) if (existsSync(this.#ledger + end)) copyFileSync(this.#ledger + end, path + end)
    this.#copies.push({ path, ledger: { lineage: this.#current.lineage } })
  }

  /** Any ledger that there ever was takes the place of this one, which is kept, too. */
  #putBack(): undefined {
    if (this.#copies.length === 0) return
    const chosen = this.#pick(this.#copies)
    this.#copies.splice(this.#copies.indexOf(chosen), 1)
    const aside = join(this.#folder, `aside-${this.#written++}`)
    for (const [from, to] of [
      [this.#ledger, aside],
      [chosen.path, this.#ledger],
    ] as const)
      for (const end of ledgerFiles) if (existsSync(from + end)) renameSync(from + end, to + end)
    this.#copies.push({ path: aside, ledger: this.#current })
    this.#current = chosen.ledger
    if (this.#options.forgetsHead)
      for (const head of ['reticent.head', 'reticent.yaml.head']) rmSync(join(this.#folder, head), { force: true })
  }

  async #epoch(): Promise<undefined> {
    await beginEpoch(this.#policy)
    this.#current.lineage = this.#model.epoch(this.#table, this.#current.lineage)
  }

  async #changeCap(): Promise<undefined> {
    const before = this.#cap
    const cap = this.#pick(caps)
    this.#promise(cap)
    try {
      await changeCap(this.#policy, String(cap))
    } catch (error) {
      this.#promise(before)
      throw error
    }
  }
}
