import type { Universe } from '../../schema/index.ts'
import { stepsAt } from '../rows/ladder.ts'
import { quickRandom, shuffle } from '../rows/quick-random.ts'
import type { Rows } from '../table-model.ts'
import { type Cells, totalOf } from './cells.ts'

/**
 * So many records, each cell as often as its share says, up to one: those at equal steps along the shares, from a random
 * start. Less varies than if they were drawn one by one, and neighbouring cells make up for each other. Then shuffled.
 */
export function roundedRows(universe: Universe, cells: Cells, count: number, random: () => number): Rows {
  const step = totalOf(cells) / count
  const start = random() * step
  return shuffledRows(
    universe,
    stepsAt(cells, count, (i) => start + i * step),
    random,
  )
}

/** So many records, each drawn by itself. */
export function sampledRows(universe: Universe, cells: Cells, count: number, random: () => number): Rows {
  const total = totalOf(cells)
  const order = Float64Array.from({ length: count }, () => random() * total).sort()
  return shuffledRows(
    universe,
    stepsAt(cells, count, (i) => order[i]!),
    random,
  )
}

function shuffledRows(universe: Universe, cells: Int32Array, random: () => number): Rows {
  shuffle(cells, 0, cells.length, quickRandom(random))
  return columnsOf(universe, cells)
}

/** The code of every attribute in each of these cells. */
function columnsOf({ attributes }: Universe, cells: Int32Array): Rows {
  const left = cells.slice()
  const columns = attributes.map(() => new Int32Array(cells.length))
  for (let axis = attributes.length - 1; axis >= 0; axis--) {
    const { size } = attributes[axis]!
    for (let i = 0; i < left.length; i++) {
      columns[axis]![i] = left[i]! % size
      left[i] = Math.floor(left[i]! / size)
    }
  }
  return columns
}
