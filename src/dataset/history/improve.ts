import { improved, statementOf, statementsOf } from '../../answer/index.ts'
import type { HistoryModel } from '../../inference/index.ts'
import type { Statement } from '../../query/index.ts'
import type { Improvement } from '../dataset.ts'
import type { Sessions } from '../sessions.ts'
import { askHistoryModel } from './ask-history.ts'
import type { ModelAnswer } from './model-answer.ts'
import { pauseFor } from './models.ts'

interface ImprovementRequest {
  /** Fits the model that is shown beside them. */
  readonly model?: (() => Promise<HistoryModel>) | undefined
  /** Of a purchase; all of them unless given. */
  readonly number?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * What the purchases of each statement say by themselves, beside what the whole history says about it now and, where one is named,
 * a model that is fitted to it.
 */
export async function improvements(
  { book, knowledge }: Sessions,
  read: (sql: string) => Promise<Statement>,
  { model, number, signal }: ImprovementRequest = {},
): Promise<Improvement[]> {
  const bought = number === undefined ? statementsOf(book) : statementOf(book, number)
  const fitted = bought.length === 0 ? undefined : await model?.()
  const all: Improvement[] = []
  for (const release of bought) {
    await pauseFor(signal)
    const statement = await read(release.statement)
    const found = improved(statement, release, { confidence: 0.95 }, { book, knowledge })
    if (!found) continue
    const answer = fitted && askHistoryModel(statement, fitted)
    all.push({ number: release.seq, statement: release.statement, ...found, ...(answer && byModel(answer)) })
  }
  return all
}

function byModel(answer: ModelAnswer): Pick<Improvement, 'byModel' | 'fit'> {
  const { parameters, warnings } = answer
  return {
    byModel: 'answers' in answer ? answer.answers : [answer],
    fit: { ...(parameters && { parameters }), ...(warnings && { warnings }) },
  }
}
