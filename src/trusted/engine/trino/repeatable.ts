import { setTimeout } from 'node:timers/promises'
import { problem } from '../../../schema/index.ts'
import { unreadable } from '../sql/index.ts'
import type { TrinoClient } from './client.ts'

/** A step of Trino's plan. Expressions are texts. */
interface Step {
  readonly name: string
  readonly descriptor: { readonly [key: string]: string }
  readonly details: readonly string[]
  readonly children: readonly Step[]
}

/**
 * Throws where an owner's view, or a table under its row filters, may give other rows each time it is read, as far as that can be
 * seen: then two answers about one fingerprint would be about two tables. Judged by Trino's plan, in which the views below it are replaced by what they
 * stand for. Trino puts the time into the plan as a constant, so clocks are found in the view's own text, and below it by
 * planning twice. docs/trino.md says what is not noticed.
 */
export async function requireRepeatable(client: TrinoClient, sql: string): Promise<void> {
  const words = wordsOf(sql)
  const clock = words.find((word, i) => clocks.includes(word) && (word !== 'now' || words[i + 1] === '('))
  if (clock) throw notRepeatable(`reads the clock with ${clock}`)
  const steps = await planOf(client, sql)
  for (const step of steps) {
    const found = faults.find(({ is }) => is(step))
    if (found) throw notRepeatable(found.what)
  }
  if (limitsWithoutOrder(words)) throw notRepeatable('has a LIMIT without an ORDER BY')
  await setTimeout(2)
  if (expressionsOf(steps) !== expressionsOf(await planOf(client, sql))) throw notRepeatable('reads the clock')
}

/** All that Trino computes for a statement. */
export const computed = async (client: TrinoClient, sql: string): Promise<string> =>
  expressionsOf(await planOf(client, sql))

const notRepeatable = (what: string) =>
  problem(
    'policy-invalid',
    `the source may return different rows each time it is read: it ${what}`,
    'Write its result to a table, and use that as the source.',
  )

const clocks = ['now', 'current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp']
/** What a call gives depends on chance, or on the order of the rows, which is nobody's promise; an order would stand in [ ]. */
const chance = /\b(random|rand|uuid|shuffle)\(/
const orderBound =
  /:= (any_value|arbitrary|array_agg|map_agg|multimap_agg|map_union|approx_percentile|approx_most_frequent|numeric_histogram|histogram_merge|tdigest_agg|qdigest_agg)\((?!.*\[)/
const positions = /:= (row_number|ntile|first_value|last_value|nth_value|lag|lead)\(|\bROWS\b/

const textsOf = ({ descriptor, details }: Step) => [...Object.values(descriptor), ...details].map(withoutLiterals)

/** Quoted texts may hold anything. */
const withoutLiterals = (text: string) => text.replace(/'(?:[^']|'')*'/g, "''")

const faults: readonly { readonly is: (step: Step) => boolean; readonly what: string }[] = [
  { is: (step) => textsOf(step).some((text) => chance.test(text)), what: 'depends on chance' },
  { is: ({ name }) => name === 'Sample', what: 'takes a sample' },
  { is: ({ name }) => /^(Distinct)?Limit/.test(name), what: 'has a LIMIT without an ORDER BY' },
  {
    is: (step) => step.name.startsWith('Aggregate') && textsOf(step).some((text) => orderBound.test(text)),
    what: 'has an aggregate that depends on the order of the rows',
  },
  {
    is: (step) =>
      step.name === 'RowNumber' ||
      (step.name === 'Window' && !step.descriptor.orderBy && textsOf(step).some((text) => positions.test(text))),
    what: 'numbers rows without an ORDER BY',
  },
]

async function planOf(client: TrinoClient, sql: string): Promise<Step[]> {
  let text = ''
  await client.run(`EXPLAIN (TYPE LOGICAL, FORMAT JSON) SELECT * FROM (\n${sql}\n) AS records`, ({ data = [] }) => {
    for (const [plan] of data) text += String(plan)
  })
  try {
    return [...stepsOf(JSON.parse(text) as Step)]
  } catch {
    throw unreadable('Trino’s plan of the source cannot be read')
  }
}

function* stepsOf(step: Step): Generator<Step> {
  yield step
  for (const child of step.children) yield* stepsOf(child)
}

/** All that is computed; a table that is written to meanwhile has another version, and is no clock. */
const expressionsOf = (steps: readonly Step[]): string =>
  JSON.stringify(steps.map(({ descriptor, details }) => [descriptor, details])).replaceAll(/\$data@\d+/g, '')

/** The words and brackets of a statement, in lower case, without comments and texts in quotes; a quoted name is one where it is called. */
function wordsOf(sql: string): string[] {
  const bare = sql.replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"(?!\s*\()/g, ' ')
  return bare.toLowerCase().match(/[a-z_]\w*|[()]/g) ?? []
}

/** Whether some query of the statement is limited and not ordered. A connector may do it, and no plan shows it. */
function limitsWithoutOrder(words: readonly string[]): boolean {
  const ordered = [false]
  for (const [i, word] of words.entries()) {
    if (word === '(') ordered.push(false)
    else if (word === ')') ordered.pop()
    else if (word === 'order' && words[i + 1] === 'by') ordered[ordered.length - 1] = true
    else if ((word === 'limit' || word === 'fetch' || word === 'offset') && !ordered.at(-1)) return true
  }
  return false
}
