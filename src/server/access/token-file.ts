import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { problem, ReticentError, usage } from '../../schema/index.ts'

/** A token as it is kept: its hash alone, from which nobody gets the token. */
export interface StoredToken {
  readonly id: string
  readonly dataset: string
  readonly role: 'owner' | 'analyst'
  /** The analyst of the policy; where it names none, whatever tells tokens apart. */
  readonly name: string | null
  readonly created: string
  readonly sha256: string
}

const format = 'reticent-tokens-1'

/** The tokens of a file; undefined where there is no file. */
export function readTokens(file: string): StoredToken[] | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable()
  }
  try {
    const read = JSON.parse(text)
    if (read.format !== format || !Array.isArray(read.tokens) || !read.tokens.every(isToken)) throw unreadable()
    return read.tokens
  } catch {
    throw unreadable()
  }
}

const isToken = (t: Partial<StoredToken> | null): boolean =>
  typeof t === 'object' &&
  t !== null &&
  [t.id, t.dataset, t.created].every((text) => typeof text === 'string') &&
  (t.role === 'owner' || t.role === 'analyst') &&
  (t.name === null || typeof t.name === 'string') &&
  /^[0-9a-f]{64}$/.test(t.sha256 ?? '')

const unreadable = () =>
  problem('policy-invalid', 'the token file cannot be read', 'Restore it, or delete it and add the tokens again.')

/** Changes the file as a whole, while no other process does. Only its owner may read it. */
export async function changeTokens(
  file: string,
  change: (tokens: readonly StoredToken[]) => readonly StoredToken[],
): Promise<void> {
  const unlock = await lock(`${file}.lock`)
  try {
    const tokens = change(readTokens(file) ?? [])
    const draft = `${file}.${process.pid}.new`
    writeFileSync(draft, `${JSON.stringify({ format, tokens }, null, 1)}\n`, { mode: 0o600, flush: true })
    renameSync(draft, file)
  } catch (error) {
    throw error instanceof ReticentError ? error : usage('the file of tokens cannot be written')
  } finally {
    unlock()
  }
}

/** Whoever holds a lock for longer than this is gone. */
const staleAfter = 10_000
const patience = 100

async function lock(file: string): Promise<() => void> {
  for (let i = 0; i < patience; i++) {
    try {
      closeSync(openSync(file, 'wx', 0o600))
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw usage('the file of tokens cannot be written')
      if (isStale(file)) rmSync(file, { force: true })
      else await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw usage('another process is changing the tokens', 'Try again in a moment.')
}

function isStale(file: string): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > staleAfter
  } catch {
    return false
  }
}
