import { writeFile } from 'node:fs/promises'
import { csvOf } from './csv.ts'
import { fileNames } from './file-names.ts'
import type { Folder } from './folder.ts'
import { withParquet } from './parquet.ts'
import type { Publication } from './publication.ts'
import { reportOf } from './report/report.ts'
import { type Summary, summaryOf } from './summary.ts'

export type Format = 'csv' | 'parquet'

/**
 * Writes a file per table, release.json and report.html; the folder comes into being when all are there. Stops, by
 * throwing, when the signal says so.
 */
export async function publish(
  publication: Publication,
  { folder, format, signal }: { readonly folder: Folder; readonly format: Format; readonly signal?: AbortSignal },
): Promise<Summary> {
  const files = fileNames(publication.tables).map((name) => `${name}.${format}`)
  if (format === 'csv')
    for (const [i, table] of publication.tables.entries())
      await writeFile(folder.file(files[i]!), csvOf(table, publication), { signal })
  else
    await withParquet(async (write) => {
      for (const [i, table] of publication.tables.entries()) {
        await write(table, publication, folder.file(files[i]!))
        signal?.throwIfAborted()
      }
    })
  const summary = summaryOf(publication, files)
  await writeFile(folder.file('release.json'), `${JSON.stringify(summary, null, 1)}\n`)
  await writeFile(folder.file('report.html'), reportOf(publication, files))
  await folder.finish()
  return summary
}
