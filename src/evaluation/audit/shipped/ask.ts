import { ask } from '../../../answer/index.ts'
import { rational, toNumber } from '../../../numeric/index.ts'
import { parseSql } from '../../../query/index.ts'
import { attribute, type Neighbours, type Unit, universe } from '../../../schema/index.ts'
import { Book, type Terms } from '../../../trusted/ledger/index.ts'
import { Meter } from '../../../trusted/meter/index.ts'
import { memoryEngine, type RawRecord } from '../../memory-engine.ts'
import { memoryLedger } from '../../memory-ledger.ts'
import { type Mechanism, type Output, pairsOf } from '../mechanism.ts'

/** What every question here costs, and the cap. */
const epsilon = rational(2)
const dataset = 'people'
const people = universe([
  attribute({ kind: 'values', name: 'sex', values: ['f', 'm'], other: false, closed: true }),
  attribute({ kind: 'integer', name: 'age', low: 0, high: 3, closed: true }),
])

type Table = readonly RawRecord[]
interface Promised {
  readonly unit?: Unit
  readonly neighbours?: Neighbours
}

/** One question from a new ledger to the answer: the promise, the price, the charge, the scan, the noise, the record. */
async function askOnce(sql: string, rows: Table, promised: Promised): Promise<Output> {
  const { unit = { kind: 'row' }, neighbours = 'add-remove' } = promised
  const privacy: Terms = { unit, neighbours, epsilon, delta: rational(0), composition: 'pure' }
  const engine = memoryEngine({ rows, universe: people, unit })
  const fingerprint = await engine.fingerprint('full')
  const create = { kind: 'create', format: 1, dataset, privacy, attributes: people.attributes, fingerprint } as const
  const ledger = await memoryLedger(create, new Uint8Array(32))
  const book = await Book.open(ledger)
  const meter = new Meter({ book, ledger, engine, approve: () => {} })
  const statement = await statementOf(sql)
  await ask(statement, { epsilon, confidence: 0.95 }, { book, meter, quota: null })
  return published(book)
}

/** Statements read so far: what they mean does not depend on the rows. */
const statements = new Map<string, ReturnType<typeof parseSql>>()
function statementOf(sql: string): ReturnType<typeof parseSql> {
  const known = statements.get(sql) ?? parseSql(sql, { dataset, universe: people })
  statements.set(sql, known)
  return known
}

/** All noisy numbers in the history, in steps: the answer, and everything else that the world sees, follows from them. */
const published = (book: Book): Output =>
  book.releases.flatMap(({ measurements }) => measurements.flatMap(({ values }) => Array.from<number | bigint>(values)))

const row = (person: number, sex: string, age: number): RawRecord => ({ person, sex, age })
const few = [row(1, 'f', 1), row(2, 'm', 3), row(3, 'm', 0)]

function asking(
  name: string,
  about: string,
  sql: string,
  inputs: readonly (readonly [name: string, left: Table, right: Table])[],
  promised: Promised = {},
): Mechanism {
  return {
    name,
    kind: 'shipped',
    about,
    claim: { epsilon: toNumber(epsilon), delta: 0 },
    pairs: pairsOf(inputs, (rows: Table) => askOnce(sql, rows, promised)),
  }
}

/** Whole questions on tiny tables, through parser, accountant, ledger, engine, meter and mechanism. */
export const askMechanisms: readonly Mechanism[] = [
  asking('ask-count', 'ask COUNT(*) with a condition, through the meter', 'SELECT COUNT(*) FROM people WHERE age > 0', [
    ['a person joins', few, [...few, row(4, 'f', 2)]],
    ['the only person leaves', [row(1, 'f', 1)], []],
  ]),
  asking('ask-sum', 'ask SUM(age), ages 0 … 3, through the meter', 'SELECT SUM(age) FROM people', [
    ['a person of the largest age joins', few, [...few, row(4, 'f', 3)]],
    ['a person of an age out of bounds joins', few, [...few, row(4, 'f', 99)]],
  ]),
  asking('ask-average', 'ask AVG(age): two parts share the price', 'SELECT AVG(age) FROM people', [
    ['a person of the largest age joins', few, [...few, row(4, 'f', 3)]],
    ['a person of age 0 joins', [], [row(4, 'f', 0)]],
  ]),
  asking('ask-group-by', 'ask COUNT(*) by group', 'SELECT sex, COUNT(*) FROM people GROUP BY sex', [
    ['a person joins a group', few, [...few, row(4, 'f', 2)]],
  ]),
  asking(
    'ask-replace-one',
    'ask COUNT(*) by group where the number of rows is public',
    'SELECT sex, COUNT(*) FROM people GROUP BY sex',
    [['a record is replaced', few, [...few.slice(1), row(1, 'm', 1)]]],
    { neighbours: 'replace-one' },
  ),
  asking(
    'ask-person',
    'ask COUNT(*) where a person may have two rows',
    'SELECT COUNT(*) FROM people',
    [
      ['a person with two rows joins', few, [...few, row(4, 'f', 2), row(4, 'f', 1)]],
      ['a person with four rows joins', few, [...few, ...[0, 1, 2, 3].map((age) => row(4, 'm', age))]],
    ],
    { unit: { kind: 'column', column: 'person', rows: 2 } },
  ),
]
