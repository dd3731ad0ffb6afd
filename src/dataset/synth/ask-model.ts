import type { Cost } from '../../answer/index.ts'
import type { TableModel } from '../../model/index.ts'
import { toNumber } from '../../numeric/index.ts'
import { readModelFile } from '../../publish/index.ts'
import { arrange, type Key, parseSql, type Statement } from '../../query/index.ts'
import { loadPolicy, usage } from '../../schema/index.ts'

/** A model's own answer. Nobody knows how far it is off: there is no interval. */
export type ModelAnswer = {
  readonly query: string
  readonly kind: 'model'
  /** The file. */
  readonly model: string
  /** Nothing. */
  readonly cost: Cost
  /** The names of a GROUP BY's keys. */
  readonly keys?: readonly string[]
} & (ModelColumn | { readonly answers: readonly ModelColumn[] })

/** One column of a SELECT: a number, or with GROUP BY one per group. null is SQL's NULL: a ratio over nothing. */
export type ModelColumn = { readonly name: string } & (
  | { readonly estimate: number | null }
  | { readonly groups: readonly ModelGroup[] }
)
interface ModelGroup {
  readonly key: { readonly [name: string]: Key }
  readonly estimate: number | null
}

/**
 * What a model says to a question: from the policy and the model alone. It costs nothing, is not recorded, and needs
 * neither the ledger nor the data.
 */
export async function askModel(policyFile: string, modelFile: string, sql: string): Promise<ModelAnswer> {
  if (typeof sql !== 'string') throw usage('a question is an SQL text')
  const { dataset, universe } = await loadPolicy(policyFile)
  const statement = await parseSql(sql, { dataset, universe })
  const model = await readModelFile(modelFile, { dataset, universe })
  const columns = columnsOf(statement, model)
  return {
    query: statement.text,
    ...(columns.length === 1 ? columns[0]! : { answers: columns }),
    ...(statement.axes.length > 0 && { keys: statement.axes.map(({ name }) => name) }),
    kind: 'model',
    model: modelFile,
    cost: { epsilon: 0, delta: 0 },
  }
}

function columnsOf(statement: Statement, model: TableModel): ModelColumn[] {
  const values = statement.parts.map((part) => model.answers(part).map((steps) => steps * toNumber(part.step)))
  const rows = arrange(statement, values)
  const { axes, columns } = statement
  const groupsOf = (column: number): ModelGroup[] =>
    rows.map(({ keys, cells }) => ({
      key: Object.fromEntries(axes.map(({ name }, i) => [name, keys[i]!])),
      estimate: cells[column] as number | null,
    }))
  return columns.flatMap(({ kind, name }, i): ModelColumn[] => {
    if (kind === 'key') return []
    return axes.length > 0
      ? [{ name, groups: groupsOf(i) }]
      : [{ name, estimate: (rows[0]?.cells[i] ?? null) as number | null }]
  })
}
