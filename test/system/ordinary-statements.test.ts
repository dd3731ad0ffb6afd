import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ordinaryStatements, ordinaryText } from './ordinary-statements.ts'
import { describeStatements } from './statement-suite.ts'

describeStatements('ordinary statements', ordinaryStatements)

test('there are sixty different ones, and the page about SQL lists them', () => {
  expect(new Set(ordinaryStatements.map(({ sql }) => sql)).size).toBe(60)
  expect(readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8')).toContain(`\n${ordinaryText()}\n`)
})
