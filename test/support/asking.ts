import { type Answer, type Asked, ask, Knowledge, type Requirement, type Session } from '../../src/answer/index.ts'
import { fromNumber } from '../../src/numeric/index.ts'
import { parseSql, type Statement } from '../../src/query/index.ts'
import { ReticentError, type Universe } from '../../src/schema/index.ts'
import type { Quota } from '../../src/trusted/meter/index.ts'
import { metered, people } from './metered.ts'

type Of<K extends Requirement['kind']> = Extract<Requirement, { kind: K }>
type Shares = Pick<Of<'relative'>, 'relative' | 'floor' | 'maxEpsilon'>
type Widths = Pick<Of<'within'>, 'within' | 'floor' | 'maxEpsilon'>
type How = Partial<Asked> & (Widths | Shares | { epsilon: number } | { free: true })

/** Statements read so far, by the attributes that they are about. */
const statements = new WeakMap<Universe, Map<string, Promise<Statement>>>()
function read(sql: string, universe: Universe): Promise<Statement> {
  const known = statements.get(universe) ?? new Map<string, Promise<Statement>>()
  statements.set(universe, known)
  const statement = known.get(sql) ?? parseSql(sql, { dataset: 'people', universe })
  known.set(sql, statement)
  return statement
}

/** Questions in SQL about data in memory, as `open` would put them. */
export async function asking(options: Parameters<typeof metered>[0] = {}) {
  const { book, meter, engine } = await metered(options)
  const knowledge = new Knowledge(book, Math.random)
  const session = (quota: Quota | null): Session => ({
    book,
    knowledge,
    quota,
    approve: options.approve ?? (() => {}),
    meter: async () => meter,
    random: Math.random,
  })
  const put = async (sql: string, how: How, quota: Quota | null = null): Promise<Answer | undefined> => {
    const statement = await read(sql, options.over ?? people)
    await book.follow()
    return ask(statement, requirement({ confidence: 0.95, ...how }), session(quota)).catch((error) => {
      if (error instanceof ReticentError && error.message === 'earlier answers do not determine this') return undefined
      throw error
    })
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whichever shape the answer has
  const putAny = (sql: string, how: How, quota?: Quota): Promise<any> => put(sql, how, quota)
  return { book, meter, engine, session, put: putAny }
}

type Table = Awaited<ReturnType<typeof asking>>
type Told = Awaited<ReturnType<Table['put']>>

/**
 * A table, and what was said to the first question about it. In a few of a hundred asks noise makes an interval wider than was
 * asked, which it says, or takes few records for many: then another table is asked. Eight such in a row, at one in twenty, are
 * below one in 10^10.
 */
export async function usual(
  options: Parameters<typeof asking>[0],
  ask: (put: Table['put']) => Promise<Told>,
  isRare = (answer: Told) => answer.short === true,
) {
  for (let tables = 0; tables < 8; tables++) {
    const table = await asking(options)
    const answer = await ask(table.put)
    if (!isRare(answer)) return { ...table, answer }
  }
  throw new Error('what is rare happened eight times in a row')
}

function requirement(how: Asked & How): Requirement {
  if ('free' in how) return { ...how, kind: 'free' }
  if ('relative' in how) return { ...how, kind: 'relative' }
  return 'within' in how ? { ...how, kind: 'within' } : { ...how, kind: 'price', epsilon: fromNumber(how.epsilon) }
}
