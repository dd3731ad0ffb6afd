import { writeFile } from 'node:fs/promises'
import { expectedPairErrors, measuredBesideModel, type SyntheticTable } from '../../release/index.ts'
import type { SynthFiles } from './files.ts'
import { modelFileOf } from './model-file.ts'
import { synthReport } from './report.ts'
import { writeRows } from './rows.ts'
import { type SynthSummary, synthSummary } from './summary.ts'

/**
 * Writes the table, and beside it NAME.model.json, NAME.synth.json and NAME.report.html; they appear when all of them
 * are complete. Throws if the signal is aborted.
 */
export async function publishSynthetic(
  table: SyntheticTable,
  { files, signal }: { readonly files: SynthFiles; readonly signal?: AbortSignal },
): Promise<SynthSummary> {
  const tables = measuredBesideModel(table)
  const pairs = expectedPairErrors(tables, table.model, await table.rehearsal?.())
  const summary = synthSummary(table, { tables, pairs }, files)
  await writeFile(files.file('model'), `${JSON.stringify(modelFileOf(table))}\n`)
  await writeFile(files.file('summary'), `${JSON.stringify(summary, null, 1)}\n`)
  await writeFile(files.file('report'), synthReport(table, { tables, pairs }, files))
  await writeRows(table, { path: files.file('table'), format: files.format, signal })
  await files.finish()
  return summary
}
