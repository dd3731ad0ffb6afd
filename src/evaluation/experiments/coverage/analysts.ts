import { type Answer, ask, type Estimate, type Requirement } from '../../../answer/index.ts'
import { rational } from '../../../numeric/index.ts'
import { countAll, type LinearQuery, type Statement } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { type OpenTable, openTable, statementOf } from '../table.ts'
import { reducedCells } from './reduced.ts'
import { confidence, type Seen, seen } from './seen.ts'

/** Somebody whose next question depends on the last answer. The last answer is what is reported. */
export interface Analyst {
  readonly name: string
  look(random: () => number): Promise<readonly Seen[]>
}

const groups = 10
const each = 100
const people = universe([attribute({ kind: 'integer', name: 'age', low: 0, high: groups - 1, closed: true })])
const rows = Array.from({ length: groups * each }, (_, i) => ({ age: i % groups }))
const ofAge = (age: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from: age, to: age } } }],
})

const opened = (random: () => number) => openTable({ rows, universe: people, epsilon: rational(1000), random })
type Wanted = Requirement extends infer R ? (R extends Requirement ? Omit<R, 'confidence' | 'always'> : never) : never

const asked = (statement: Statement, wanted: Wanted, session: OpenTable): Promise<Answer> =>
  ask(statement, { ...wanted, confidence, always: true } as Requirement, session)

/** Asks for a count of 100 within ±300, and within half of that again while this says so, at most so many times. */
const refining = (name: string, goesOn: (last: Seen) => boolean, times: number): Analyst => ({
  name,
  look: async (random) => {
    const session = await opened(random)
    const all: Seen[] = []
    for (let i = 0; i <= times; i++) {
      const answer = await asked(statementOf(ofAge(0)), { kind: 'within', within: 300 / 2 ** i }, session)
      all.push(seen(answer as Estimate, each))
      if (!goesOn(all.at(-1)!)) break
    }
    return all
  },
})
/** Whether the interval holds what the analyst expects, which here is the exact number. */
const isAsExpected = ({ error, alone }: Seen) => Math.abs(error) <= alone

const largest: Analyst = {
  name: 'reports the largest group',
  look: async (random) => {
    const session = await opened(random)
    const statement: Statement = {
      ...statementOf({ ...countAll, by: [{ attribute: 'age' }] }),
      axes: [{ name: 'age', attribute: 'age', labels: Array.from({ length: groups }, (_, age) => age) }],
    }
    const answer = await asked(statement, { kind: 'within', within: 100 }, session)
    const all = 'groups' in answer ? answer.groups : []
    const top = all.reduce((a, b) => (a.estimate! >= b.estimate! ? a : b))
    return [seen(top, each)]
  },
}

const relative: Analyst = {
  name: "--relative's own choice",
  look: async (random) => {
    const session = await opened(random)
    const wanted = { kind: 'relative', relative: 0.2, floor: 10 + 80 * random() } as const
    return [seen((await asked(statementOf(ofAge(3)), wanted, session)) as Estimate, each)]
  },
}

const reduced: Analyst = { name: "iReduct's own choice, every cell", look: reducedCells }

export const analysts: readonly Analyst[] = [
  refining('refines once, in any case', () => true, 1),
  refining('refines the unsurprising', isAsExpected, 1),
  refining('refines the surprising', (last) => !isAsExpected(last), 1),
  refining('refines until surprised, four times', isAsExpected, 4),
  largest,
  relative,
  reduced,
]
