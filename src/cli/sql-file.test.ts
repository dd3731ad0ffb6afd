import { expect, test } from 'vitest'
import { statementsIn } from './sql-file.ts'

test('statements end in semicolons, but not in texts, names and comments', () => {
  const text = `-- all; of them
SELECT COUNT(*) FROM t; /* one; more */ SELECT COUNT(*) FROM t
  WHERE a = 'x;''y' AND "b;c" = 3 - 1;
;
SELECT 1/2 -- the last needs none`
  expect(statementsIn(text)).toEqual([
    'SELECT COUNT(*) FROM t',
    `SELECT COUNT(*) FROM t\n  WHERE a = 'x;''y' AND "b;c" = 3 - 1`,
    'SELECT 1/2',
  ])
  expect(statementsIn(' ; -- nothing')).toEqual([])
  // What is never closed runs to the end.
  expect(statementsIn("SELECT 'a; b")).toEqual(["SELECT 'a", 'b'])
})
