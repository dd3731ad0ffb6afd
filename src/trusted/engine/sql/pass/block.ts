import type { Chunk } from '../database.ts'

/** Rows that are counted at once: their codes in a few columns stay in a processor's cache. */
const blockRows = 2 ** 13

/** In a byte each where all codes of the attribute fit: a thousand bits are read as they come, and in a quarter of the memory. */
export type CodeColumn = Uint8Array | Int32Array

/** Some records as codes, column by column. */
export interface Block {
  readonly rows: number
  readonly columns: readonly CodeColumn[]
}

/** Collects what a database streams into blocks, and hands each on when it is full. */
export class Blocks {
  readonly #columns: readonly CodeColumn[]
  readonly #count: (block: Block) => void
  #rows = 0

  /** `sizes`: how many codes each column may have. */
  constructor(sizes: readonly number[], count: (block: Block) => void) {
    this.#columns = sizes.map((size) => (size <= 1 << 8 ? new Uint8Array(blockRows) : new Int32Array(blockRows)))
    this.#count = count
  }

  add(chunk: Chunk): void {
    for (let from = 0; from < chunk.rows; ) {
      const rows = Math.min(chunk.rows - from, blockRows - this.#rows)
      for (const [c, column] of this.#columns.entries())
        chunk.copy(c, from, column.subarray(this.#rows, this.#rows + rows))
      this.#rows += rows
      from += rows
      if (this.#rows === blockRows) this.flush()
    }
  }

  flush(): void {
    if (this.#rows > 0) this.#count({ rows: this.#rows, columns: this.#columns })
    this.#rows = 0
  }
}
