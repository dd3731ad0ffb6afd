import type { Panel } from './svg.ts'

/** What an experiment is given: a seed for its data and questions, a clock, and somebody to tell how far it is. */
export interface ExperimentOptions {
  /** Smaller, for a first look: seconds instead of minutes. */
  readonly quick: boolean
  readonly seed: number
  /** Milliseconds. */
  readonly now: () => number
  /** Milliseconds of processor time: what a busy machine does not lengthen. */
  readonly worked: () => number
  readonly progress: (words: string) => void
}

/** What came out: a table for the eye, the same as numbers for programs, and pictures. */
export interface Outcome {
  /** What was set, by name. */
  readonly settings: { readonly [name: string]: number | string | readonly number[] }
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  readonly panels: readonly Panel[]
  /** What a reader of the table must know. */
  readonly notes: readonly string[]
}

export interface Experiment {
  readonly name: string
  readonly about: string
  run(options: ExperimentOptions): Promise<Outcome>
}
