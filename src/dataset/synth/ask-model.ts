import { toNumber } from '../../numeric/index.ts'
import { readModelFile } from '../../publish/index.ts'
import { parseSql } from '../../query/index.ts'
import { loadPolicy, usage } from '../../schema/index.ts'
import { type ModelAnswer, modelColumns } from '../history/model-answer.ts'

/**
 * A model's answer to a question, from the policy and the model's file alone. It costs nothing, is not recorded, and
 * needs neither the ledger nor the data.
 */
export async function askModel(policyFile: string, modelFile: string, sql: string): Promise<ModelAnswer> {
  if (typeof sql !== 'string') throw usage('a question is an SQL text')
  const { dataset, universe } = await loadPolicy(policyFile)
  const statement = await parseSql(sql, { dataset, universe })
  const model = await readModelFile(modelFile, { dataset, universe })
  const values = statement.parts.map((part) => model.answers(part).map((steps) => steps * toNumber(part.step)))
  return { ...modelColumns(statement, { values }), model: modelFile }
}
