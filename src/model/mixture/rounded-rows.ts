import { roundedCounts, systematicCounts } from '../rows/carried-rounding.ts'
import { quickRandom, shuffle } from '../rows/quick-random.ts'
import type { Rows } from '../table-model.ts'
import type { AttributeOfMixture, Mixture } from './mixture.ts'

/**
 * Records whose numbers are those of the mixture, as nearly as whole numbers can: whole numbers of records per component; in each,
 * whole numbers per atom, with the error carried on to the next component; then the codes of each atom in their
 * proportions. Inside a component the attributes come in random orders of their own.
 */
export function roundedRows({ weights, attributes }: Mixture, count: number, random: () => number): Rows {
  const words = quickRandom(random)
  const perComponent = systematicCounts(weights, count, random())
  return attributes.map((attribute) => {
    const column = atomColumn(attribute, perComponent, count, words)
    spreadAtoms(attribute, column, words)
    return column
  })
}

function atomColumn(
  { atoms, probabilities }: AttributeOfMixture,
  perComponent: Int32Array,
  count: number,
  words: () => number,
): Int32Array {
  const column = new Int32Array(count)
  const carried = new Float64Array(atoms.count)
  const all = perComponent.length
  let row = 0
  for (const [k, records] of perComponent.entries()) {
    if (records === 0) continue
    let sum = 0
    for (let atom = 0; atom < atoms.count; atom++) sum += probabilities[atom * all + k]!
    for (let atom = 0; atom < atoms.count; atom++) carried[atom]! += (probabilities[atom * all + k]! / sum) * records
    const first = row
    for (const [atom, times] of roundedCounts(carried, records).entries()) {
      column.fill(atom, row, row + times)
      row += times
    }
    shuffle(column, first, row, words)
  }
  return column
}

/** Replaces atoms by codes. The records of an atom get its codes in a random order. */
function spreadAtoms({ atoms, shares }: AttributeOfMixture, column: Int32Array, words: () => number): void {
  const codes = Array.from({ length: atoms.count }, (): number[] => [])
  for (const [code, atom] of atoms.groupOf.entries()) codes[atom]!.push(code)
  const rows = new Int32Array(atoms.count)
  for (const atom of column) rows[atom]!++
  const ready = codes.map((own, atom) => {
    const counts = roundedCounts(
      Float64Array.from(own, (code) => shares[code]! * rows[atom]!),
      rows[atom]!,
    )
    const list = new Int32Array(rows[atom]!)
    let at = 0
    for (const [i, code] of own.entries()) {
      list.fill(code, at, at + counts[i]!)
      at += counts[i]!
    }
    shuffle(list, 0, list.length, words)
    return list
  })
  const used = new Int32Array(atoms.count)
  for (let row = 0; row < column.length; row++) {
    const atom = column[row]!
    column[row] = ready[atom]![used[atom]!++]!
  }
}
