import { Knowledge, type Session } from '../../answer/index.ts'
import { type Rational, zero } from '../../numeric/index.ts'
import type { LinearQuery, Statement } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { Book, type PrivacyTerms } from '../../trusted/ledger/index.ts'
import { Meter } from '../../trusted/meter/index.ts'
import { memoryEngine, type RawRecord } from '../memory-engine.ts'
import { memoryLedger } from '../memory-ledger.ts'

/** The product's own parts over a table in memory: what `open` wires, without files. */
export interface OpenTable extends Session {
  readonly knowledge: Knowledge
}

/** A new ledger with this cap over the rows. `random` is for proofs about public numbers; noise is the system's. */
export async function openTable(options: {
  readonly rows: readonly RawRecord[]
  readonly universe: Universe
  readonly epsilon: Rational
  readonly random: () => number
}): Promise<OpenTable> {
  const { rows, universe, epsilon, random } = options
  const engine = memoryEngine({ rows, universe })
  const fingerprint = await engine.full()
  const privacy: PrivacyTerms = {
    unit: { kind: 'row' },
    neighbours: 'add-remove',
    epsilon,
    delta: zero,
    composition: 'pure',
  }
  const { attributes } = universe
  const ledger = await memoryLedger(
    { kind: 'create', format: 1, dataset: 'table', privacy, attributes, fingerprint },
    new Uint8Array(32),
  )
  const book = await Book.open(ledger)
  const approve = () => {}
  const meter = new Meter({ book, ledger, engine, approve, epoch: 1 })
  return { book, knowledge: new Knowledge(book, random), quota: null, approve, meter: async () => meter, random }
}

/** The statement that asks for one linear query and nothing else. */
export const statementOf = (query: LinearQuery): Statement => ({
  text: 'SELECT …',
  axes: [],
  parts: [query],
  columns: [{ kind: 'value', name: 'answer', expression: { kind: 'part', part: 0 } }],
  orderBy: [],
})
