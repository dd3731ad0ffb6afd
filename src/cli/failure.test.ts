import { expect, test } from 'vitest'
import { ReticentError } from '../schema/index.ts'
import { failureJson, failureText } from './failure.ts'

test('facts never take the place of the code and the words', () => {
  const facts: Record<string, string> = { code: 'SQLITE_FULL', message: 'x', detail: 'y', hint: 'z', path: 'p' }
  const error = new ReticentError('ledger-unwritable', facts, { message: 'the ledger cannot be written' })
  const printed = JSON.parse(JSON.stringify(failureJson(error)))
  expect(printed).toEqual({ code: 'ledger-unwritable', message: 'the ledger cannot be written', path: 'p' })
})

test('a mistake of ours says nothing of its own', () => {
  const error = new TypeError('cannot read income of person 12')
  expect(failureJson(error)).toMatchObject({ code: 'internal' })
  expect(JSON.stringify(failureJson(error)) + failureText(error)).not.toContain('person 12')
})
