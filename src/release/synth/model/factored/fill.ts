import { marginalOver } from '../../../../query/index.ts'
import type { Universe } from '../../../../schema/index.ts'
import type { AnswerSheet } from '../../mwem/fitted-model.ts'
import { productAnswers } from './answers.ts'
import type { Part } from './part.ts'

/** Answers many queries at once. Marginals over independent attributes are products of one-way marginals, each taken once. */
export function fillSheet(
  { queries, attributes, starts, values }: AnswerSheet,
  places: ArrayLike<number>,
  parts: readonly Part[],
  { universe, records }: { universe: Universe; records: number },
): void {
  const oneWay = new OneWayMarginals(parts)
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!
    const query = queries[place]!
    const answers = values.subarray(starts[place]!, starts[place + 1]!)
    if (areIndependent(attributes[place]!, parts) && marginalOver(query)) {
      answers[0] = records
      let length = 1
      for (const { attribute } of query.by) length = spread(answers, length, oneWay.of(universe.index.get(attribute)!))
    } else {
      const shares = productAnswers(query, universe, parts)
      for (let c = 0; c < shares.length; c++) answers[c] = shares[c]! * records
    }
  }
}

function areIndependent(attributes: readonly number[], parts: readonly Part[]): boolean {
  for (let i = 1; i < attributes.length; i++)
    for (let j = 0; j < i; j++) if (parts[attributes[i]!] === parts[attributes[j]!]) return false
  return true
}

/** Multiplies the first numbers by all shares, in place, from the last on; returns how many they are then. */
function spread(numbers: Float64Array, length: number, shares: Float64Array): number {
  for (let i = length - 1; i >= 0; i--) {
    const number = numbers[i]!
    for (let code = shares.length - 1; code >= 0; code--) numbers[i * shares.length + code] = number * shares[code]!
  }
  return length * shares.length
}

class OneWayMarginals {
  readonly #parts: readonly Part[]
  readonly #known: (Float64Array | undefined)[] = []

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  of(attribute: number): Float64Array {
    const known = this.#known[attribute]
    if (known) return known
    const { tree } = this.#parts[attribute]!
    const clique = tree.cliqueWith([attribute])
    const shares = tree.projection(clique, [attribute]).sum(tree.at(clique))
    this.#known[attribute] = shares
    return shares
  }
}
