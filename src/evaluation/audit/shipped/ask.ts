import { ask } from '../../../answer/index.ts'
import { rational, toNumber, zero } from '../../../numeric/index.ts'
import { parseSql } from '../../../query/index.ts'
import { type Mechanism, type Output, pairsOf } from '../mechanism.ts'
import {
  type AlsoPromised,
  dataset,
  epsilon,
  few,
  forgetful,
  openTable,
  people,
  published,
  row,
  type Table,
} from './people.ts'

/** One question from a new ledger to the answer: the promise, the price, the charge, the scan, the noise, the record. */
async function askOnce(sql: string, rows: Table, promised: AlsoPromised): Promise<Output> {
  const { book, meter } = await openTable(rows, promised)
  const statement = await statementOf(sql)
  await ask(statement, { kind: 'price', epsilon, confidence: 0.95 }, forgetful(book, meter))
  return published(book)
}

/** Statements read so far: what they mean does not depend on the rows. */
const statements = new Map<string, ReturnType<typeof parseSql>>()
function statementOf(sql: string): ReturnType<typeof parseSql> {
  const known = statements.get(sql) ?? parseSql(sql, { dataset, universe: people })
  statements.set(sql, known)
  return known
}

function asking(
  name: string,
  about: string,
  sql: string,
  inputs: readonly (readonly [name: string, left: Table, right: Table])[],
  promised: AlsoPromised = {},
): Mechanism {
  return {
    name,
    kind: 'shipped',
    about,
    claim: { epsilon: toNumber(epsilon), delta: toNumber(promised.delta ?? zero) },
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
  asking(
    'ask-gaussian',
    'ask COUNT(*) where the policy has a δ: Gaussian noise, priced in ρ',
    'SELECT COUNT(*) FROM people',
    [['a person joins', few, [...few, row(4, 'f', 2)]]],
    { delta: rational(1, 1000) },
  ),
]
