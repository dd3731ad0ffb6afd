import type { NoisyAnswer } from '../fitted-model.ts'
import { cellsOver, JunctionTree, joinCliques, type Sizes, type Table } from '../junction-tree/index.ts'
import type { AnswerPlace } from '../replay.ts'

export type AttributeSets = readonly (readonly number[])[]

export const cellsOf = (cliques: AttributeSets, sizes: Sizes): number =>
  cliques.reduce((sum, clique) => sum + cellsOver(clique, sizes), 0)

/**
 * Attributes that depend on each other and on no others. Their distribution is a product of factors, each over the attributes of one
 * answer and inside of one clique.
 */
export class Part {
  readonly cliques: AttributeSets
  readonly attributes: readonly number[]
  /** Of all cliques together. */
  readonly cells: number
  /** The factors' logarithms. */
  readonly logs: Table[]
  readonly answers: NoisyAnswer[]
  readonly #sizes: Sizes
  /** The factors by their attributes. */
  readonly #logsBySet = new Map<string, Table>()
  #tree: JunctionTree | undefined
  /** One-way marginals, by attribute, of the distribution as it is now. */
  readonly #shares = new Map<number, Float64Array>()

  constructor(cliques: AttributeSets, sizes: Sizes, logs: Table[] = [], answers: NoisyAnswer[] = []) {
    this.cliques = cliques
    this.attributes = [...new Set(cliques.flat())].sort((a, b) => a - b)
    this.cells = cellsOf(cliques, sizes)
    this.logs = logs
    this.answers = answers
    this.#sizes = sizes
    for (const table of logs) this.#index(table)
  }

  /** Made from the factors when it is first asked for. */
  get tree(): JunctionTree {
    this.#tree ??= new JunctionTree(joinCliques(this.cliques, this.#sizes), this.#sizes, this.logs)
    return this.#tree
  }

  /** The marginal of one attribute: asked for again and again while other parts change. For reading only. */
  sharesOf(attribute: number): Float64Array {
    const known = this.#shares.get(attribute)
    if (known) return known
    const { tree } = this
    const clique = tree.cliqueWith([attribute])
    const shares = tree.projection(clique, [attribute]).sum(tree.at(clique))
    this.#shares.set(attribute, shares)
    return shares
  }

  holds(set: readonly number[]): boolean {
    return this.cliques.some((clique) => set.every((a) => clique.includes(a)))
  }

  /** Where a factor over these attributes is looked at and changed. */
  placeOf(attributes: readonly number[]): AnswerPlace {
    const { tree } = this
    const clique = tree.cliqueWith(attributes)
    const onto = tree.projection(clique, attributes)
    const { values } = this.logsOver(attributes)
    return {
      cells: tree.at(clique).length,
      marginal: (records) => onto.sum(tree.at(clique), records),
      multiply: (factors) => {
        for (let i = 0; i < values.length; i++) values[i]! += Math.log(factors[i]!)
        tree.multiply(clique, factors, onto)
        this.#shares.clear()
      },
    }
  }

  /** The logarithms of the factor over these attributes, in this order; 0 where there was none. */
  logsOver(attributes: readonly number[]): Table {
    const known = this.#logsBySet.get(attributes.join())
    if (known) return known
    const table = { attributes, values: new Float64Array(cellsOver(attributes, this.#sizes)) }
    this.addLogs(table)
    return table
  }

  /** One more factor, over attributes of one clique; its own values decide what a tree that is made later says. */
  addLogs(table: Table): void {
    this.logs.push(table)
    this.#index(table)
  }

  #index(table: Table): void {
    const key = table.attributes.join()
    if (!this.#logsBySet.has(key)) this.#logsBySet.set(key, table)
  }
}
