import { answerSize, checkQuery, groupOf, type Integers, type LinearQuery, weightAt } from '../query/index.ts'
import type { Unit, Universe } from '../schema/index.ts'
import { type Engine, needsBigInts, type Snapshot } from '../trusted/engine/index.ts'
import { seal } from '../trusted/exact/seal.ts'
import { keyedHash, sha256 } from '../trusted/hash/index.ts'
import { encodeValue, type RawValue } from './encode.ts'

/** A record by column name; a column that is not there is NULL. */
export type RawRecord = { readonly [column: string]: RawValue }

/**
 * The engine in its most obvious form: every record is encoded by the slow encoder, and a query is a loop over records.
 * For experiments and for the contract suite, which holds the fast engines to it. Its rows never change, so it is its own
 * one snapshot.
 */
export function memoryEngine(options: {
  readonly rows: readonly RawRecord[]
  readonly universe: Universe
  readonly unit?: Unit
  readonly key?: Uint8Array
}): Engine & Snapshot {
  const { rows, universe, unit = { kind: 'row' }, key = new Uint8Array(32) } = options
  const cells = rows.map((row) => universe.attributes.map((a) => encodeValue(a, row[a.name])))
  const counted = unit.kind === 'row' ? cells : limit(rows, cells, unit, key)
  const engine: Engine & Snapshot = {
    snapshot: async () => engine,
    quick: keyedHash(key, String(rows.length)),
    full: async () =>
      keyedHash(
        key,
        JSON.stringify(rows, (_, v) => (typeof v === 'bigint' ? `${v}n` : v)),
      ),
    async answer(queries) {
      for (const q of queries) checkQuery(q, universe)
      return queries.map((q) => seal(total(q, universe, counted)))
    },
    close: async () => undefined,
  }
  return engine
}

/** At most `rows` records of one person, chosen by a keyed hash of the person and the encoded record. */
function limit(
  rows: readonly RawRecord[],
  cells: readonly number[][],
  unit: Extract<Unit, { kind: 'column' }>,
  key: Uint8Array,
): number[][] {
  const choice = keyedHash(key, 'rows of one person')
  const personOf = (i: number) => {
    const person = rows[i]![unit.column] ?? null
    return person === null ? '-' : `=${person}`
  }
  return [...Map.groupBy(cells.keys(), personOf)].flatMap(([person, records]) =>
    records
      .map((i) => ({ cell: cells[i]!, rank: sha256(`${choice}${[...person].length}:${person}:${cells[i]}`) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
      .slice(0, unit.rows)
      .map(({ cell }) => cell),
  )
}

function total(q: LinearQuery, u: Universe, cells: readonly number[][]): Integers {
  const sums = new Array<bigint>(answerSize(q, u)).fill(0n)
  for (const cell of cells) {
    const weight = weightAt(q, u, cell)
    if (weight === 0) continue
    let at = 0
    for (const g of q.by) {
      const code = cell[u.index.get(g.attribute)!]!
      at = at * (g.groups?.length ?? u.attributes[u.index.get(g.attribute)!]!.size) + groupOf(g, code)
    }
    sums[at]! += BigInt(weight)
  }
  return needsBigInts(q, u) ? sums : Float64Array.from(sums, Number)
}
