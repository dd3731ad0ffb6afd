import { Ladder } from '../rows/ladder.ts'
import { quickRandom } from '../rows/quick-random.ts'
import type { Rows } from '../table-model.ts'
import type { AttributeOfMixture, Mixture } from './mixture.ts'

/** Records, each drawn by itself: a component, then for every attribute an atom of it, then a code of the atom. */
export function drawnRows({ weights, attributes }: Mixture, count: number, random: () => number): Rows {
  const words = quickRandom(random)
  const components = new Ladder(weights).draws(count, words)
  return attributes.map((attribute) => drawnColumn(attribute, components, weights.length, words))
}

function drawnColumn(
  { atoms, shares, probabilities }: AttributeOfMixture,
  components: Int32Array,
  all: number,
  words: () => number,
): Int32Array {
  const uniform = () => words() / 2 ** 32
  const ladders: Ladder[] = []
  const ofComponent = (k: number) =>
    new Ladder(Float64Array.from({ length: atoms.count }, (_, atom) => probabilities[atom * all + k]!))
  const codes = Map.groupBy(atoms.groupOf.keys(), (code) => atoms.groupOf[code]!)
  const inAtom = Array.from({ length: atoms.count }, (_, atom) => {
    const own = codes.get(atom)!
    return { own, ladder: new Ladder(own.map((code) => shares[code]!)) }
  })
  return components.map((k) => {
    ladders[k] ??= ofComponent(k)
    const { own, ladder } = inAtom[ladders[k].at(uniform())]!
    return own[ladder.at(uniform())]!
  })
}
