import { askModel, type ModelAnswer, type ModelColumn } from '../../index.ts'
import { usage } from '../../schema/index.ts'
import { number, rowsOf, table } from '../format.ts'
import type { Output, Text } from '../output.ts'

/** Flags that say how precise an answer must be, what it may cost, or what is known of it: a model says none of this. */
const foreign = ['within', 'relative', 'floor', 'maxEpsilon', 'epsilon', 'probability', 'allWithin', 'explain', 'plan']

/**
 * What a model says to a question, at no cost: its estimate, and no interval, since nobody knows how far it is off.
 *
 *     reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --model people.model.json
 */
export async function askOfModel(
  sql: string,
  flags: { readonly policy: string; readonly model: string },
  out: Output,
): Promise<void> {
  for (const [name, value] of Object.entries<unknown>(flags))
    if (foreign.includes(name) && value !== undefined && value !== false)
      throw usage(
        `--model does not go with --${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        'A model answers for nothing, and nobody knows how far it is off. To know, ask without --model.',
      )
  const answer = await askModel(flags.policy, flags.model, sql)
  await out.result(answer, answerText(answer))
  await out.note('model · costs nothing · a model’s estimate, not an answer: how far it is off is not known')
}

function answerText(answer: ModelAnswer): Text {
  const columns = 'answers' in answer ? answer.answers : [answer]
  const keys = answer.keys ?? []
  if (columns.some((column) => 'groups' in column)) return groupsText(columns, keys)
  const rows = columns.map((column) => [column.name, 'estimate' in column ? estimate(column.estimate) : ''])
  return columns.length === 1 ? `${rows[0]![1]}   (by the model)` : table(['', 'by the model'], rows, [false, true])
}

function groupsText(columns: readonly ModelColumn[], keys: readonly string[]): Iterable<string> {
  const groups = columns.map((column) => ('groups' in column ? column.groups : []))
  const header = [...keys, ...columns.map(({ name }) => `${name}, by the model`)]
  const rows = rowsOf(function* () {
    for (const [i, { key }] of groups[0]!.entries())
      yield [...keys.map((k) => String(key[k] ?? 'NULL')), ...groups.map((g) => estimate(g[i]!.estimate))]
  })
  return table(
    header,
    rows,
    header.map((_, i) => i >= keys.length),
  )
}

/** Whole numbers from a hundred on: more digits would say more than a model knows. */
const estimate = (value: number | null): string =>
  value === null ? 'NULL' : number(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 1 : 3)
