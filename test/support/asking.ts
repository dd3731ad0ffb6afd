import {
  type Answer,
  type Asked,
  ask,
  askRelative,
  askWithin,
  freeAnswer,
  Knowledge,
  type Relative,
  type Within,
} from '../../src/answer/index.ts'
import { fromNumber } from '../../src/numeric/index.ts'
import { parseSql } from '../../src/query/index.ts'
import { metered } from './metered.ts'

type Shares = Pick<Relative, 'relative' | 'floor' | 'maxEpsilon'>
type Widths = Pick<Within, 'within' | 'floor' | 'maxEpsilon'>
type How = Partial<Asked> & (Widths | Shares | { epsilon: number } | { free: true })

/** Questions in SQL about data in memory, as `open` would put them. */
export async function asking(options: Parameters<typeof metered>[0] = {}) {
  const { book, meter } = await metered(options)
  const knowledge = new Knowledge(book, Math.random)
  const at = { book, knowledge, quota: null, meter }
  const put = async (sql: string, how: How): Promise<Answer | undefined> => {
    const statement = await parseSql(sql, { dataset: 'people', universe: book.universe })
    const asked = { confidence: 0.95, ...how }
    if ('free' in asked) return freeAnswer(statement, asked, at)
    if ('relative' in asked) return (await askRelative(statement, asked, at)).answer
    const { answer } =
      'within' in asked
        ? await askWithin(statement, asked, at)
        : await ask(statement, { ...asked, epsilon: fromNumber(asked.epsilon) }, at)
    return answer
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whichever shape the answer has
  return { book, put: async (sql: string, how: How): Promise<any> => put(sql, how) }
}
