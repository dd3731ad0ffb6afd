import { lstat, mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { problem } from '../schema/index.ts'

/** A folder beside what it is for, where files are written until all are there. */
interface Draft {
  file(name: string): string
  readonly path: string
  discard(): Promise<void>
}

/**
 * Refuses what cannot be written to, and what another process is writing: only one can make the folder. `what` it is for
 * is named to whoever must choose another place.
 */
export async function openDraft(final: string, shown: string, what: string): Promise<Draft> {
  const path = join(dirname(final), `.${basename(final)}.unfinished`)
  try {
    await makeFolder(dirname(final))
    await mkdir(path)
  } catch (error) {
    if (isCalled(error, 'EEXIST') && (await exists(path)))
      throw refused(
        shown,
        `another process is writing ${shown}, or was killed while writing it`,
        `Name another ${what}; or, if no release is running, remove ${path} first.`,
      )
    throw refused(shown, `cannot write to ${dirname(final)}`, `Name a ${what} that can be created: --out.`)
  }
  return { path, file: (name) => join(path, name), discard: () => rm(path, { recursive: true, force: true }) }
}

/** With all that it is in. (Node's own way never ends where a parent is there but cannot hold folders, as /proc.) */
async function makeFolder(path: string): Promise<void> {
  if (await exists(path)) return
  await makeFolder(dirname(path))
  await mkdir(path).catch((error) => {
    if (!isCalled(error, 'EEXIST')) throw error
  })
}

/**
 * An empty folder that somebody made in advance counts as existing: we cannot know whose it is. So does a link that leads
 * nowhere: nothing can be put in its place.
 */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

const isCalled = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** A place that nothing can be written to. */
export const refused = (path: string, message: string, hint: string) => problem('usage', message, hint, { path })
