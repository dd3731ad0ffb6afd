import type { Cost } from '../../answer/index.ts'
import { arrange, type Expression, type Key, type Statement } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'

/** A model's answer. It has no interval: its error depends on how good the model is. */
export type ModelAnswer = {
  readonly query: string
  readonly kind: 'model'
  /** The file, or the name of a model that is fitted to the history. */
  readonly model: string
  /** Nothing. */
  readonly cost: Cost
  /** The names of a GROUP BY's keys. */
  readonly keys?: readonly string[]
  /** For a model of the history: what it assumed and chose. */
  readonly parameters?: { readonly [name: string]: number | string }
  /**
   * For a model of the history: whether earlier answers determine the question, as far as `free` would find out. Then
   * a free answer has an interval as well.
   */
  readonly determined?: boolean
  /** What the reader must know about it. */
  readonly warnings?: readonly string[]
} & (ModelColumn | { readonly answers: readonly ModelColumn[] })

/** One column of a SELECT: a number, or with GROUP BY one per group. */
export type ModelColumn = { readonly name: string } & (ModelNumber | { readonly groups: readonly ModelGroup[] })

interface ModelNumber {
  /** null is SQL's NULL: a ratio over nothing. */
  readonly estimate: number | null
  /** Root mean squared error that the kernel model expects: right as far as its assumptions are, and no promise. */
  readonly error?: number
}
interface ModelGroup extends ModelNumber {
  readonly key: { readonly [name: string]: Key }
}

/** What a model says about the parts of a statement. */
interface ModelParts {
  /** Per part its answers per group, in the data's own units. */
  readonly values: readonly ArrayLike<number>[]
  /** The error of what is computed from them in a group, where the model tells. */
  readonly error?: (expression: Expression, group: number) => number | undefined
}

/** The answer's members that the statement decides. */
export function modelColumns(statement: Statement, { values, error }: ModelParts) {
  if (statement.quantiles) throw noQuantiles()
  const { axes, text } = statement
  const rows = arrange(statement, values)
  const answers = statement.columns.flatMap((column, i): ModelColumn[] => {
    if (column.kind === 'key') return []
    const { name, expression } = column
    const groups = rows.map(({ group, keys, cells }): ModelGroup => {
      const off = cells[i] === null ? undefined : error?.(expression, group)
      return {
        key: Object.fromEntries(axes.map((axis, k) => [axis.name, keys[k]!])),
        estimate: cells[i] as number | null,
        ...(off !== undefined && { error: off }),
      }
    })
    if (axes.length > 0) return [{ name, groups }]
    const { key: _, ...only } = groups[0] ?? { key: {}, estimate: null }
    return [{ name, ...only }]
  })
  return {
    query: text,
    ...(answers.length === 1 ? answers[0]! : { answers }),
    ...(axes.length > 0 && { keys: axes.map(({ name }) => name) }),
    kind: 'model',
    cost: { epsilon: 0, delta: 0 },
  } as const
}

const noQuantiles = () =>
  problem(
    'not-supported',
    'models answer counts, sums and what is made of them, not quantiles',
    'Ask for the quantile itself with --free, or for COUNT(*) … WHERE x <= c by the model.',
  )
