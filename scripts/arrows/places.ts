import { posix } from 'node:path'
import { arrows } from './table.ts'

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** The row of a table that is for this file: its folder's, or that of the nearest folder above. */
export function rowFor<T>(table: Record<string, T>, file: string): string | undefined {
  const known = Object.keys(table).filter((folder) => isWithin(posix.dirname(file), folder))
  return known.sort((a, b) => b.length - a.length)[0]
}

/** The folder of the architecture that a file belongs to; '.' for the files of src/ itself. */
export const folderOf = (file: string) => rowFor(arrows, file)

/** Whether a list of folders and files has this file. */
export const isListed = (file: string, list: string[]) => list.some((place) => isWithin(file, place))
export const isTest = (file: string) => file.endsWith('.test.ts')
