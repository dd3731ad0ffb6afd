import type { Factor } from '../../../query/index.ts'
import { type Column, stepCount, stepsOf, valueAt } from '../column.ts'
import { kept } from '../kept.ts'

/** Codes of one attribute that no column of a list tells apart: the first code of each class, ascending, and how many there are in it. */
export interface Classes {
  readonly codes: Int32Array
  readonly counts: Float64Array
}

/** So many lists are remembered, of so many classes at most: groups are asked about again and again. */
const [mostLists, mostClasses] = [256, 4096]

/** Steps of all columns: with fewer, classes are found sooner than looked up. */
const worthKeeping = 4096

/** Classes by the columns' factors; a history asks with the factors of its answers every time. */
export class ClassLists {
  readonly #numbers = new WeakMap<Factor, number>()
  readonly #lists = new Map<string, Classes>()
  #count = 0

  /** Columns must be of one attribute, `place`. */
  of(place: number, columns: readonly Column[], size: number): Classes {
    if (isShort(columns)) return classesOf(columns, size)
    // Groups of one query share their factors.
    const distinct = new Map(columns.map((column) => [this.#numberOf(column.factor), column]))
    const key = `${place}:${[...distinct.keys()].sort((a, b) => a - b).join()}`
    const known = this.#lists.get(key)
    if (known) return known
    const classes = classesOf([...distinct.values()], size)
    if (this.#lists.size === mostLists) this.#lists.clear()
    if (classes.codes.length <= mostClasses) this.#lists.set(key, classes)
    return classes
  }

  #numberOf(factor: Factor): number {
    return kept(this.#numbers, factor, () => ++this.#count)
  }
}

function isShort(columns: readonly Column[]): boolean {
  let steps = 0
  for (const column of columns) {
    steps += stepCount(column)
    if (steps >= worthKeeping) return false
  }
  return true
}

/**
 * Where no column changes, codes are alike: stretches between the columns' steps, of which a range has two. Stretches that
 * are alike go together; hashes find them, from the steps alone.
 */
function classesOf(columns: readonly Column[], size: number): Classes {
  const { starts, hashes } = stretchesOf(columns, size)
  // The last class of a hash, and of each class the one before it that has the same.
  const last = new Map<number, number>()
  const before: number[] = []
  const codes: number[] = []
  const counts: number[] = []
  for (let i = 0; i < starts.length; i++) {
    const code = starts[i]!
    const newest = last.get(hashes[i]!) ?? -1
    let number = newest
    while (number >= 0 && !areAlike(columns, codes[number]!, code)) number = before[number]!
    if (number < 0) {
      number = codes.length
      last.set(hashes[i]!, number)
      before.push(newest)
      codes.push(code)
      counts.push(0)
    }
    counts[number]! += (starts[i + 1] ?? size) - code
  }
  return { codes: Int32Array.from(codes), counts: Float64Array.from(counts) }
}

function areAlike(columns: readonly Column[], code: number, other: number): boolean {
  for (let c = 0; c < columns.length; c++) if (valueAt(columns[c]!, code) !== valueAt(columns[c]!, other)) return false
  return true
}

/** Code 0 and every code at which a column changes; and of each a hash of all columns' values. */
function stretchesOf(columns: readonly Column[], size: number): { starts: number[]; hashes: number[] } {
  const isStart = new Uint8Array(size)
  const changes = new Int32Array(size)
  isStart[0] = 1
  columns.forEach((column, c) => {
    const { codes, steps } = stepsOf(column)
    const factor = Math.imul(2 * c + 1, 0x9e3779b1)
    for (let k = 0; k < codes.length; k++) {
      isStart[codes[k]!] = 1
      changes[codes[k]!]! += Math.imul(steps[k]!, factor)
    }
  })
  const starts: number[] = []
  const hashes: number[] = []
  for (let code = 0, hash = 0; code < size; code++) {
    if (isStart[code] === 0) continue
    hash = (hash + changes[code]!) | 0
    starts.push(code)
    hashes.push(hash)
  }
  return { starts, hashes }
}
