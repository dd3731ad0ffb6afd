import { Knowledge, type Session } from '../../answer/index.ts'
import type { Rational } from '../../numeric/index.ts'
import type { LinearQuery, Statement } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { memoryEngine, type RawRecord } from '../memory-engine.ts'
import { openMemory } from '../open-memory.ts'

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
  const { book, meter } = await openMemory(memoryEngine({ rows, universe }), universe, { epsilon })
  const knowledge = new Knowledge(book, random)
  return { book, knowledge, quota: null, approve: () => {}, meter: async () => meter, random }
}

/** The statement that asks for one linear query and nothing else. */
export const statementOf = (query: LinearQuery): Statement => ({
  text: 'SELECT …',
  axes: [],
  parts: [query],
  columns: [{ kind: 'value', name: 'answer', expression: { kind: 'part', part: 0 } }],
  orderBy: [],
})
