import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createLedgerFor, type Dataset, open } from '../../src/index.ts'
import type { OrdinaryStatement } from './ordinary-statements.ts'
import { policyText, Workspace } from './workspace.ts'

/** Asks each statement, and instead of those that are refused what is said to work. */
export function describeStatements(name: string, statements: readonly OrdinaryStatement[]): void {
  const w = new Workspace()
  const people: Dataset[] = []

  /** A table that nobody has asked anything. Long histories would take long to look through. */
  async function freshPeople(): Promise<Dataset> {
    const name = `${people.length}.yaml`
    w.write(name, policyText.replace('epsilon: 1.0', 'epsilon: 9').replace('people.ledger', `${people.length}.ledger`))
    await createLedgerFor(w.path(name))
    return open(w.path(name))
  }
  beforeEach(async () => {
    if (people.length === 0 || (await people.at(-1)!.budget()).spent.epsilon > 3) people.push(await freshPeople())
  })
  afterAll(() => Promise.all(people.map((each) => each.close())))

  const ask = (sql: string) => people.at(-1)!.ask(sql, { epsilon: '1' })
  const plain = statements.filter(({ instead }) => instead === undefined)

  describe(`${plain.length} of ${statements.length} ${name} work`, () => {
    test.each(plain)('$sql', async ({ sql }) => {
      expect((await ask(sql)).cost.epsilon).toBeGreaterThan(0)
    })
  })

  describe('the others cost nothing, and say what to ask instead', () => {
    test.each(statements.filter(({ instead }) => instead !== undefined))('$sql', async ({ sql, instead }) => {
      const { spent } = await people.at(-1)!.budget()
      await expect(ask(sql)).rejects.toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^sql-/),
          // A place, and more than the list of all that is supported.
          detail: expect.stringMatching(/^line 1, column \d+:\n.*\n *\^$/),
          hint: expect.not.stringContaining('Supported: '),
        }),
      )
      expect((await people.at(-1)!.budget()).spent).toEqual(spent)
      expect((await ask(instead!)).cost.epsilon).toBeGreaterThan(0)
    })
  })
}
