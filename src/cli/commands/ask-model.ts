import { existsSync } from 'node:fs'
import { askModel, type Dataset, type ModelAnswer, type ModelColumn, type ModelOptions, open } from '../../index.ts'
import { usage } from '../../schema/index.ts'
import { keyText, modelDecimals, number, rowsOf, table } from '../format.ts'
import type { Output, Text } from '../output.ts'
import { progressBar } from '../progress.ts'
import { modelCsv } from '../text/answer-csv.ts'
import { fitText } from '../text/fit.ts'

/** Flags that say how precise an answer must be, what it may cost, or what is known of it: a model says none of this. */
const foreign = [
  'within',
  'relative',
  'floor',
  'maxEpsilon',
  'epsilon',
  'probability',
  'allWithin',
  'always',
  'explain',
  'plan',
]

/**
 * What a model says to questions, at no cost: its estimates, and no intervals, since nobody knows how far they are off. A file that
 * exists, or whose name ends in .json, is a model beside a synthetic table; any other name is a model fitted to the history.
 *
 *     reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --model made-up.model.json
 *     reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --model kernel
 */
export async function askOfModel(
  questions: readonly string[],
  flags: ModelFlags,
  out: Output,
  signal?: AbortSignal,
): Promise<void> {
  refuseForeign(flags)
  const { policy, model, alpha } = flags
  if (model.endsWith('.json') || existsSync(model)) {
    if (alpha !== undefined) throw usage('--alpha does not apply to a model in a file, which is already fitted')
    for (const sql of questions) await show(await askModel(policy, model, sql), notAnAnswer, out)
    return
  }
  const data = await open(policy)
  try {
    for (const sql of questions) await askHistoryModel(data, sql, { model, alpha, signal }, out)
  } finally {
    await data.close()
  }
}

interface ModelFlags {
  readonly policy: string
  readonly model: string
  readonly alpha?: string
}

function refuseForeign(flags: ModelFlags): void {
  for (const [name, value] of Object.entries<unknown>({ ...flags }))
    if (foreign.includes(name) && value !== undefined && value !== false)
      throw usage(
        `--model does not go with --${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        'A model costs nothing, but its error is unknown. To get an interval, ask without --model.',
      )
}

/** What a model fitted to the history of an opened table says. */
export async function askHistoryModel(
  data: Dataset,
  sql: string,
  options: { readonly model: string; readonly alpha?: string; readonly signal?: AbortSignal },
  out: Output,
): Promise<void> {
  // The first question of a model takes seconds: it is fitted then.
  const bar = progressBar(process.stderr)
  const progress: ModelOptions['progress'] = ({ share, doing }) => bar.at(share, `${options.model}: ${doing}`)
  const answer = await data.askModel(sql, { ...options, progress }).finally(() => bar.end())
  await show(answer, tellsErrors(answer) ? byItsOwnAccount : notAnAnswer, out)
}

async function show(answer: ModelAnswer, note: string, out: Output): Promise<void> {
  await out.result(answer, answerText(answer), modelCsv(answer))
  const fit = fitText(answer.parameters ?? {})
  for (const line of [...(answer.warnings ?? []), ...(fit === undefined ? [] : [fit])]) await out.note(line)
  if (answer.determined !== undefined) await out.note(answer.determined ? hasFreeAnswer : onlyEstimated)
  await out.note(note)
}

const hasFreeAnswer =
  'earlier answers determine this: --free gives an answer with an interval, which costs nothing either'
const onlyEstimated = 'earlier answers do not determine this: it can be estimated for free, but not answered'

/** Models of the history come with errors, unless there are too many numbers; models in files have none. */
const tellsErrors = (answer: ModelAnswer): boolean =>
  ('answers' in answer ? answer.answers : [answer]).some((column) =>
    ('groups' in column ? column.groups : [column]).some(({ error }) => error !== undefined),
  )

const notAnAnswer = 'model · costs nothing · a model’s estimate, not an answer: its error is unknown'
const byItsOwnAccount =
  'model · costs nothing · a model’s estimate, not an answer: errors are those that the kernel model expects, without any guarantee'

function answerText(answer: ModelAnswer): Text {
  const columns = 'answers' in answer ? answer.answers : [answer]
  const keys = answer.keys ?? []
  if (columns.some((column) => 'groups' in column)) return groupsText(columns, keys)
  const rows = columns.map((column) => [column.name, 'estimate' in column ? estimateText(column) : ''])
  return columns.length === 1 ? `${rows[0]![1]}   (by the model)` : table(['', 'by the model'], rows, [false, true])
}

function groupsText(columns: readonly ModelColumn[], keys: readonly string[]): Iterable<string> {
  const groups = columns.map((column) => ('groups' in column ? column.groups : []))
  // One for a whole column.
  const decimals = groups.map((column) => modelDecimals(column.flatMap(({ estimate }) => estimate ?? [])))
  const header = [...keys, ...columns.map(({ name }) => `${name}, by the model`)]
  const rows = rowsOf(function* () {
    for (const [i, { key }] of groups[0]!.entries())
      yield [
        ...keys.map((k) => keyText(key[k] ?? null)),
        ...groups.map((g, column) => estimateText(g[i]!, decimals[column])),
      ]
  })
  return table(
    header,
    rows,
    header.map((_, i) => i >= keys.length),
  )
}

const estimateText = (
  { estimate, error }: { estimate: number | null; error?: number },
  decimals = modelDecimals(estimate === null ? [] : [estimate]),
): string => {
  const told = estimate === null ? 'NULL' : number(estimate, decimals)
  return error === undefined ? told : `${told} · typically off by ${number(error, modelDecimals([error]))}`
}
