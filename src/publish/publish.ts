import { writeFile } from 'node:fs/promises'
import type { MarginalTables } from '../release/index.ts'
import { csvOf } from './csv.ts'
import { fileNames } from './file-names.ts'
import type { Folder } from './folder.ts'
import { withParquet } from './parquet.ts'
import { reportOf } from './report/report.ts'
import { type Summary, summaryOf } from './summary.ts'

export type Format = 'csv' | 'parquet'

/**
 * Writes a file per table, release.json and report.html; the folder appears when all of them are complete. Throws if
 * the signal is aborted.
 */
export async function publish(
  release: MarginalTables,
  { folder, format, signal }: { readonly folder: Folder; readonly format: Format; readonly signal?: AbortSignal },
): Promise<Summary> {
  const files = fileNames(release.tables).map((name) => `${name}.${format}`)
  if (format === 'csv')
    for (const [i, table] of release.tables.entries())
      await writeFile(folder.file(files[i]!), csvOf(table, release), { signal })
  else
    await withParquet(async (write) => {
      for (const [i, table] of release.tables.entries()) {
        await write(table, release, folder.file(files[i]!))
        signal?.throwIfAborted()
      }
    })
  const summary = summaryOf(release, files)
  await writeFile(folder.file('release.json'), `${JSON.stringify(summary, null, 1)}\n`)
  await writeFile(folder.file('report.html'), reportOf(release, files))
  await folder.finish()
  return summary
}
