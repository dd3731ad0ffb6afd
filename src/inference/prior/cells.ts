import { answerSize, type LinearQuery, marginalOver } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { compile, Shapes, type Weights, type WeightTerm } from '../blue/compile.ts'
import { kept } from '../blue/kept.ts'
import { byCells, Covariances } from '../blue/marginals/covariance.ts'
import { cellsOf } from '../blue/noisy-answers.ts'
import { Precisions } from './precisions.ts'
import { restrictedQuery, restrictedUniverse } from './restriction.ts'

/** A query over the cells: a full marginal, or as many scalars. */
type Asked =
  | { readonly kind: 'marginal'; readonly attributes: readonly number[]; readonly cells: number }
  | { readonly kind: 'scalars'; readonly weights: readonly Weights[] }

/** The cells that records may be in, and queries over them, each made ready once for all that look at it. */
export class Cells {
  readonly universe: Universe
  readonly #from: Universe
  readonly #shapes = new Shapes()
  readonly #asked = new WeakMap<LinearQuery, Asked>()
  readonly #scalars = new WeakMap<LinearQuery, readonly Weights[]>()
  readonly #lengths = new WeakMap<Weights, number>()
  readonly #squares = new Covariances(new Precisions(1, { publicCount: false }), byCells)

  /** Of each attribute the first so many codes; somebody knows that nobody has another one. */
  constructor(from: Universe, sizes: readonly number[] = from.attributes.map(({ size }) => size)) {
    this.#from = from
    this.universe = restrictedUniverse(from, sizes)
  }

  question(query: LinearQuery): Weights {
    return compile(restrictedQuery(query, this.#from, this.universe), this.universe, this.#shapes)
  }

  /** The query as it looks here; undefined for more than so many scalars. */
  asked(query: LinearQuery, most: number): Asked | undefined {
    const isTooMuch = marginalOver(query) === undefined && answerSize(query, this.#from) > most
    return isTooMuch ? undefined : kept(this.#asked, query, () => this.#read(query))
  }

  #read(query: LinearQuery): Asked {
    const here = restrictedQuery(query, this.#from, this.universe)
    const names = marginalOver(here)
    if (names) {
      const places = names.map((name) => this.universe.index.get(name)!)
      const attributes = places.filter((place) => this.universe.attributes[place]!.size > 1).sort((i, j) => i - j)
      return { kind: 'marginal', attributes, cells: answerSize(here, this.universe) }
    }
    return { kind: 'scalars', weights: this.#compiled(here) }
  }

  /** A marginal as so many scalars. */
  scalarsOf(query: LinearQuery): readonly Weights[] {
    return kept(this.#scalars, query, () => this.#compiled(restrictedQuery(query, this.#from, this.universe)))
  }

  #compiled(here: LinearQuery): Weights[] {
    const weights = cellsOf(here, this.universe).map((cell) => compile(cell, this.universe, this.#shapes))
    return weights.filter(({ terms }) => terms.length > 0)
  }

  /** Σ over terms of their root mean squares: the size of the numbers that products with the query are made of. */
  lengthOf(weights: Weights): number {
    const length = (term: WeightTerm) => {
      const alone = { terms: [term], step: 1 }
      return Math.sqrt(this.#squares.unknown(alone, alone))
    }
    return kept(this.#lengths, weights, () => weights.terms.reduce((sum, term) => sum + length(term), 0))
  }
}
