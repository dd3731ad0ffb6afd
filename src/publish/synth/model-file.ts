import { readFile } from 'node:fs/promises'
import { readModel, type TableModel } from '../../model/index.ts'
import { canonicalJson } from '../../query/index.ts'
import type { SyntheticTable } from '../../release/index.ts'
import { attributesToJson, problem, type Universe } from '../../schema/index.ts'

/** What NAME.model.json holds: the model, and which table it is of. */
export const modelFileOf = ({ dataset, model, receipt }: SyntheticTable) => ({
  format: 'reticent-model-1',
  dataset,
  attributes: attributesToJson(model.universe.attributes),
  receipt,
  model: model.toJson(),
})

/** Reads a model back, and refuses that of another table: also of the same one before its attributes were changed. */
export async function readModelFile(
  path: string,
  { dataset, universe }: { readonly dataset: string; readonly universe: Universe },
): Promise<TableModel> {
  const stored = await jsonIn(path)
  if (stored?.format !== 'reticent-model-1') throw refused(path, 'is not a model that `reticent synth` wrote')
  if (stored.dataset !== dataset)
    throw refused(path, `is a model of ${JSON.stringify(stored.dataset)}, not of ${JSON.stringify(dataset)}`)
  if (canonicalJson(stored.attributes) !== canonicalJson(attributesToJson(universe.attributes)))
    throw refused(path, 'is a model of a table with other attributes than those of the policy')
  return readModel(stored.model, universe)
}

async function jsonIn(path: string): Promise<{ readonly [key: string]: unknown } | null> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw refused(path, 'cannot be read')
  })
  try {
    return JSON.parse(text)
  } catch {
    throw refused(path, 'is not JSON')
  }
}

const refused = (path: string, why: string) =>
  problem('usage', `${path} ${why}`, 'Name the .model.json file beside a synthetic table.', { path })
