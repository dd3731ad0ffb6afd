import type { Integers, LinearQuery } from '../../query/index.ts'
import type { Exact } from '../exact/index.ts'

/** A place where the private table is, and what can be asked of it. One contract suite holds all of them to it. */
export interface Engine {
  /**
   * The exact answers, one vector of answerSize(query) integers (in steps) per query, in as few scans as possible.
   * Fails, with nothing of the data in the error, only where the source itself fails.
   */
  answer(queries: readonly LinearQuery[]): Promise<Exact<Integers>[]>
  /** A keyed digest of the source: `quick` from its metadata, `full` from its content. Equal digests, equal data. */
  fingerprint(depth: 'quick' | 'full'): Promise<string>
  close(): Promise<void>
}
