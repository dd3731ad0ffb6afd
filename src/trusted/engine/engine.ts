import type { Integers, LinearQuery, MarginalList } from '../../query/index.ts'
import type { Exact, ExactAnswers } from '../exact/index.ts'

/** A place where the private table is. One contract suite holds all of them to what is said here. */
export interface Engine {
  /** The source as it is now; the same snapshot for as long as nothing about the source has changed. */
  snapshot(): Promise<Snapshot>
  close(): Promise<void>
}

/**
 * The source as it was at one moment. What answers is what was fingerprinted: whatever was prepared for answering was
 * prepared from those very data, and once the source looks different, this snapshot answers never again
 * (`source-changed`), even if the source comes to look as before.
 */
export interface Snapshot {
  /** A keyed digest of the source's metadata. Equal digests, equal data. */
  readonly quick: string
  /**
   * A keyed digest of its content; reads all of it, and fails where any of it cannot be read. A snapshot that has read it
   * before need not read it again, where what it looks like proves that it is the same.
   */
  full(): Promise<string>
  /** Makes what speeds up later answers now rather than when it first pays. */
  warm?(): Promise<void>
  /**
   * The exact answers, one vector of answerSize(query) integers (in steps) per query, in as few scans as possible.
   * Fails, with nothing of the data in the error, only where the source itself fails or changes.
   */
  answer(queries: readonly LinearQuery[]): Promise<Exact<Integers>[]>
  /** The same for marginals of which there may be half a million; where an engine lacks it, they are asked one by one. */
  marginals?(list: MarginalList): Promise<ExactAnswers<Integers>>
}
