import { problem, ReticentError } from '../../schema/index.ts'

/**
 * A statement whose queries need more disjoint product terms than this is refused. Prices and estimates compare every term
 * with every other, some ten microseconds a pair.
 */
export const maxTerms = 512

/**
 * Steps that all conditions of one statement may take together, and one attempt at ordering the attributes of one;
 * a step is some tens of nanoseconds.
 */
const stepsPerStatement = 6_000_000
const stepsPerAttempt = 600_000
/** Operations that functions, LIKE and the order of texts may take in one statement, one per code at least. */
const valuesPerStatement = 600_000

export const tooManyTerms = (terms: number | string): ReticentError =>
  problem(
    'too-many-terms',
    `the statement needs ${terms} product terms; at most ${maxTerms} are allowed`,
    'Use fewer ORs across different attributes, compare attributes in coarser steps (x / 10 > y / 10), or split the question and add up the answers.',
    { terms, limit: maxTerms },
  )

/** Counts the steps that reading a statement takes, so that no statement can take long before it is refused. */
export class Work {
  #left: number
  #values = valuesPerStatement

  constructor(steps = stepsPerStatement) {
    this.#left = steps
  }

  take(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw tooManyTerms(`more than ${maxTerms}`)
  }

  /** Whether so many more values may be computed. */
  compute(values: number): boolean {
    this.#values -= values
    return this.#values >= 0
  }

  /** Runs within a smaller budget that is taken from this one; undefined when either ran out. */
  attempt<T>(run: (work: Work) => T, steps = stepsPerAttempt): T | undefined {
    const allowed = Math.min(steps, this.#left)
    const part = new Work(allowed)
    try {
      return run(part)
    } catch (error) {
      if (error instanceof ReticentError && error.code === 'too-many-terms') return undefined
      throw error
    } finally {
      this.#left -= allowed - Math.max(0, part.#left)
    }
  }
}
