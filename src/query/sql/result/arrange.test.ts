import { expect, test } from 'vitest'
import { census } from '../../../../test/support/census.ts'
import { parseSql } from '../parse.ts'
import { arrange } from './arrange.ts'

/** The keys of the rows that are left, in order, for COUNT(*) = 0, 1, 2, … in the order of the groups. */
async function keys(clauses: string, key = 'state') {
  const statement = await parseSql(`SELECT ${key} AS k, COUNT(*) AS n FROM census GROUP BY ${key} ${clauses}`, {
    dataset: 'census',
    universe: census,
  })
  const counts = statement.axes[0]!.labels.map((_, i) => i)
  return arrange(
    statement,
    statement.parts.map(() => counts),
  ).map((row) => row.cells[0])
}

// The groups are NY GU CA 1 other NULL, with the counts 0 to 5.
test.each([
  ['', ['NY', 'GU', 'CA', '1', 'other', null]],
  ['ORDER BY 1', ['1', 'CA', 'GU', 'NY', 'other', null]],
  ['ORDER BY k DESC', [null, 'other', 'NY', 'GU', 'CA', '1']],
  ['ORDER BY state DESC NULLS LAST', ['other', 'NY', 'GU', 'CA', '1', null]],
  ['ORDER BY k NULLS FIRST LIMIT 2', [null, '1']],
  ['ORDER BY COUNT(*) DESC LIMIT 2 OFFSET 1', ['other', '1']],
  ['ORDER BY -COUNT(*)', [null, 'other', '1', 'CA', 'GU', 'NY']],
  ['ORDER BY COUNT(*) * COUNT(*) DESC FETCH FIRST ROW ONLY', [null]],
  ['OFFSET 4', ['other', null]],
  ['LIMIT ALL OFFSET NULL', ['NY', 'GU', 'CA', '1', 'other', null]],
  ['LIMIT 0', []],
  ['HAVING COUNT(*) > 3', ['other', null]],
  ['HAVING 3 < COUNT(*)', ['other', null]],
  ['HAVING n > 3', ['other', null]],
  ["HAVING k = 'NY' OR n BETWEEN 2 AND 3", ['NY', 'CA', '1']],
  ['HAVING COUNT(*) BETWEEN 2 AND 3', ['CA', '1']],
  ['HAVING COUNT(*) NOT BETWEEN 1 AND 4', ['NY', null]],
  ['HAVING COUNT(*) IN (0, 5)', ['NY', null]],
  ['HAVING COUNT(*) NOT IN (0, NULL)', []],
  ["HAVING state = 'GU'", ['GU']],
  ["HAVING state <> 'GU'", ['NY', 'CA', '1', 'other']],
  ["HAVING NOT state = 'GU'", ['NY', 'CA', '1', 'other']],
  ["HAVING state >= 'NY'", ['NY', 'other']],
  ['HAVING state = 1', ['1']],
  ["HAVING state IS NULL OR state = 'NY' AND COUNT(*) = 0", ['NY', null]],
  ["HAVING state <> 'NY' OR COUNT(*) = 5", ['GU', 'CA', '1', 'other', null]],
  ['HAVING 1.0 / COUNT(*) IS NULL', ['NY']],
  ['HAVING 6.0 / COUNT(*) > 2', ['GU', 'CA']],
  ['HAVING NOT 6.0 / COUNT(*) > 2', ['1', 'other', null]],
])('%s', async (clauses, expected) => {
  expect(await keys(clauses)).toEqual(expected)
})

test('booleans and dates sort as values', async () => {
  expect(await keys('ORDER BY 1 DESC NULLS LAST', 'member')).toEqual([true, false, null])
  expect(await keys('HAVING member', 'member')).toEqual([true])
  expect((await keys('ORDER BY born DESC', 'born')).slice(-2)).toEqual(['1990-06-01', '1990-05-01'])
})

test('a statement without groups has one row, which HAVING may take away', async () => {
  const read = (having: string) =>
    parseSql(`SELECT AVG(age) FROM census ${having}`, { dataset: 'census', universe: census })
  const none = await read('')
  expect(
    arrange(
      none,
      none.parts.map(() => [0]),
    ),
  ).toEqual([{ group: 0, keys: [], cells: [null] }])
  const kept = await read('HAVING COUNT(*) > 5')
  expect(
    arrange(
      kept,
      kept.parts.map(() => [5]),
    ),
  ).toEqual([])
})
