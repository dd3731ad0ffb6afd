import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exists, openDraft, refused } from './draft.ts'

/** A folder that appears whole or not at all: until `finish`, its files are in a temporary folder beside it. */
export interface Folder {
  /** Where it will be. */
  readonly path: string
  /** Where to write a file until then. */
  file(name: string): string
  finish(): Promise<void>
  discard(): Promise<void>
}

/**
 * Refuses a folder that already exists, cannot be written, or is being written by another process. Call it before
 * anything is paid for.
 */
export async function openFolder(path: string): Promise<Folder> {
  const final = resolve(path)
  if (await exists(final)) throw refused(path, `${path} exists already`, 'Name a folder that does not exist.')
  const draft = await openDraft(final, path, 'folder')
  return {
    path: final,
    file: draft.file,
    finish: async () => {
      if (await exists(final))
        throw refused(path, `somebody else has made ${path} meanwhile`, `Its files are in ${draft.path}.`)
      await rename(draft.path, final)
    },
    discard: draft.discard,
  }
}
