import { expect, test } from 'vitest'
import { attribute, type Policy, universe } from '../../schema/index.ts'
import { completions } from './completion.ts'

const values = (name: string, ...listed: string[]) =>
  attribute({ kind: 'values', name, values: listed, other: name === 'state', closed: true })
const policy = {
  dataset: 'people',
  universe: universe([
    attribute({ kind: 'integer', name: 'age', low: 0, high: 9, closed: true }),
    values('state', 'CA', 'Colorado', "O'Hara", 'Co\x1b[2J'),
    values('Work place', 'Home', 'home office'),
  ]),
} as Policy
const hits = (line: string) => completions(line, policy)

test.each([
  ['\\bu', [['\\budget'], '\\bu']],
  ['SELECT a', [['age', 'and', 'as', 'asc', 'avg'], 'a']],
  ['SELECT A', [['age', 'AND', 'AS', 'ASC', 'AVG'], 'A']],
  ['SELECT COUNT(*) FROM ', [['people'], '']],
  ['SELECT "W', [['"Work place"'], '"W']],
  ["… WHERE state = 'c", [["CA'", "Colorado'"], 'c']],
  ["… WHERE state IN ('CA', 'O", [["O''Hara'", "other'"], 'O']],
  ["… WHERE STATE <> 'o''h", [["O''Hara'"], "o''h"]],
  [`… WHERE "Work place" LIKE 'ho`, [["Home'", "home office'"], 'ho']],
  ["… WHERE age = '", [[], '']],
  ["… WHERE nothing = '", [[], '']],
] as [string, [string[], string]][])('after %s', (line, found) => {
  expect(hits(line)).toEqual(found)
})
