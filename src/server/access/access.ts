import { statSync } from 'node:fs'
import type { Role } from '../api/index.ts'
import { HttpRefusal } from '../http-refusal.ts'
import { bearerIn, hashOf } from './token.ts'
import { readTokens, type StoredToken } from './token-file.ts'

/** What somebody may do with one data set. */
export interface Grant {
  readonly dataset: string
  readonly role: Role
  readonly name: string | null
  /** Of the token; null where the server has none. */
  readonly tokenId: string | null
}

/** Who sent a request: one grant per data set that the token opens. */
export interface Caller {
  readonly role: Role
  /** What requests are counted by. */
  readonly key: string
  readonly grants: readonly Grant[]
}

/** A file of tokens, and the data sets that it may open: whoever writes the one beside a policy has no say about other policies. */
interface TokenSource {
  readonly file: string
  readonly datasets: readonly string[]
}

/**
 * Who may do what. Token files are read again as soon as they change, so that a revoked token is refused at once. Without any file the
 * server is open; once there is one it stays closed, also when the last token is taken away.
 */
export class Access {
  readonly #files: readonly TokenSource[]
  readonly #datasets: readonly string[]
  #seen = ''
  #tokens: ReadonlyMap<string, readonly StoredToken[]> | undefined

  constructor(files: readonly TokenSource[]) {
    this.#files = files
    this.#datasets = files.flatMap(({ datasets }) => datasets)
    this.#follow()
  }

  get isOpen(): boolean {
    this.#follow()
    return this.#tokens === undefined
  }

  /** Whether the token of this id has been taken away. A file that cannot be read takes none away; requests are refused until it can. */
  isRevoked(tokenId: string | null): boolean {
    try {
      this.#follow()
    } catch {
      // As far as is known.
    }
    if (tokenId === null) return this.#tokens !== undefined
    return ![...(this.#tokens?.values() ?? [])].some((tokens) => tokens.some(({ id }) => id === tokenId))
  }

  /** Throws where the header names nobody. */
  callerOf(authorization: string | undefined, address: string): Caller {
    this.#follow()
    const all = this.#datasets
    if (!this.#tokens)
      return {
        role: 'open',
        key: address,
        grants: all.map((dataset) => ({ dataset, role: 'open', name: null, tokenId: null })),
      }
    const token = bearerIn(authorization)
    const key = token === undefined ? undefined : hashOf(token)
    const found = key === undefined ? undefined : this.#tokens.get(key)
    if (key === undefined || !found?.length)
      throw new HttpRefusal(
        'unauthorized',
        token === undefined ? 'this needs a token' : 'this token gives no access here',
        'The owner makes one with `reticent token add`; send it as Authorization: Bearer.',
      )
    const grants = found.map(({ dataset, role, name, id }) => ({ dataset, role, name, tokenId: id }))
    return { role: grants[0]!.role, key, grants }
  }

  /** Nothing is read unless a file has changed. */
  #follow(): void {
    const now = this.#files.map(({ file }) => stamp(file)).join(' ')
    if (now === this.#seen) return
    const read = this.#files.map(({ file, datasets }) =>
      readTokens(file)?.filter(({ dataset }) => datasets.includes(dataset)),
    )
    const byHash = new Map<string, StoredToken[]>()
    for (const token of read.flatMap((tokens) => tokens ?? []))
      byHash.set(token.sha256, [...(byHash.get(token.sha256) ?? []), token])
    const isClosed = this.#tokens !== undefined || read.some((tokens) => tokens !== undefined)
    this.#tokens = isClosed ? byHash : undefined
    this.#seen = now
  }
}

function stamp(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.ino}:${found.mtimeNs}:${found.size}` : '-'
}
