import { readdir, stat } from 'node:fs/promises'

/** Which file a path leads to, whatever its name. */
export async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  return `${dev}:${ino}`
}

const own = '/proc/self/fd'

/** The files that this process has open, by the numbers of their handles; undefined where the system does not tell. */
async function handles(): Promise<ReadonlyMap<string, string> | undefined> {
  const numbers = await readdir(own).catch(() => undefined)
  if (!numbers) return undefined
  const found = new Map<string, string>()
  for (const number of numbers) {
    // One that is closed meanwhile is none.
    const identity = await identityOf(`${own}/${number}`).catch(() => undefined)
    if (identity !== undefined) found.set(number, identity)
  }
  return found
}

/**
 * Whether opening something has opened this very file. A path tells too little: who renames the folder that a file is in, and renames it
 * back once it was opened, changes nothing about the file. True where the system does not tell.
 */
export async function opens(identity: string, open: () => Promise<unknown>): Promise<boolean> {
  const before = await handles()
  await open()
  const now = await handles()
  if (!before || !now) return true
  return now.entries().some(([number, found]) => found === identity && before.get(number) !== found)
}
