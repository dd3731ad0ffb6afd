import { type Scope, unsupported } from '../scope.ts'

/**
 * Objects of the tree that one reading of a statement may copy. Names that stand for each other's expressions, and rows that are compared
 * with rows, double it again and again: thirty short lines would be more than any memory holds.
 */
const most = 100_000

/** Copies of parts of a statement, each written where it is used. */
export class Copies {
  readonly #scope: Pick<Scope, 'text'>
  #left = most
  readonly #sizes = new WeakMap<object, number>()

  constructor(scope: Pick<Scope, 'text'>) {
    this.#scope = scope
  }

  /** A copy of one's own. Throws where there have been too many, before it is made. */
  of<T extends object>(part: T): T {
    const size = this.#sizes.get(part) ?? sizeOf(part)
    this.#sizes.set(part, size)
    this.#left -= size
    if (this.#left >= 0) return structuredClone(part)
    throw unsupported(
      this.#scope,
      part,
      'the statement is too long once its subqueries and lists are expanded',
      'Use a column fewer times, or split the question.',
    )
  }
}

/** How many objects there are in a part, itself included. */
function sizeOf(part: object): number {
  let size = 1
  for (const child of Object.values(part)) if (child !== null && typeof child === 'object') size += sizeOf(child)
  return size
}
