import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files, SourceFile } from './files.ts'
import { bytesOf } from './text-header.ts'

/**
 * The files as DuckDB can read them: copies in UTF-8, in a folder that only this process's user can open and that goes with the
 * session; files in UTF-8 are themselves.
 */
export async function utf8Files(files: Files, folder: string, signal?: AbortSignal): Promise<Files> {
  const copies: SourceFile[] = []
  for (const [i, file] of files.all.entries()) {
    const { encoding, ...plain } = file
    const copy = join(folder, `utf8-${i}${/\.tsv(\.gz)?$/i.test(file.path) ? '.tsv' : '.csv'}`)
    if (encoding) await writeFile(copy, bytesOf(file, signal), { mode: 0o600 })
    copies.push(encoding ? { ...plain, path: copy, real: copy } : file)
  }
  return { ...files, all: copies }
}
