import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exists, openDraft, refused } from './draft.ts'

/** A folder that appears whole or not at all: its files are written beside it until `finish`. */
export interface Folder {
  /** Where it will be. */
  readonly path: string
  /** Where a file of it is written meanwhile. */
  file(name: string): string
  finish(): Promise<void>
  discard(): Promise<void>
}

/**
 * Refuses what exists already, what cannot be written to, and what another process is writing: to be called before
 * anything is paid for.
 */
export async function openFolder(path: string): Promise<Folder> {
  const final = resolve(path)
  if (await exists(final)) throw refused(path, `${path} exists already`, 'Name a folder that does not.')
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
