import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ReticentError } from '../schema/index.ts'

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
 * anything is paid for. Only one can make the folder that files are written to meanwhile.
 */
export async function openFolder(path: string): Promise<Folder> {
  const final = resolve(path)
  if (await exists(final)) throw refused(path, `${path} exists already`, 'Name a folder that does not.')
  const draft = join(dirname(final), `.${basename(final)}.unfinished`)
  try {
    await mkdir(dirname(final), { recursive: true })
    await mkdir(draft)
  } catch (error) {
    if (isCalled(error, 'EEXIST') && (await exists(draft)))
      throw refused(
        path,
        `another process is writing ${path}, or one was killed while it did`,
        `Name another folder; or, if no release is running, remove ${draft} first.`,
      )
    throw refused(path, `cannot write to ${dirname(final)}`, 'Name a folder that can be created: --out DIR.')
  }
  return {
    path: final,
    file: (name) => join(draft, name),
    finish: async () => {
      if (await exists(final))
        throw refused(path, `somebody else has made ${path} meanwhile`, `Its files are in ${draft}.`)
      await rename(draft, final)
    },
    discard: () => rm(draft, { recursive: true, force: true }),
  }
}

/**
 * An empty folder that somebody made in advance counts as existing: we cannot know whose it is. So does a link that leads
 * nowhere: nothing can be put in its place.
 */
const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

const isCalled = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const refused = (path: string, message: string, hint: string) => new ReticentError('usage', { path }, { message, hint })
