/**
 * An attribute's codes in classes: run i begins at code starts[i] and belongs to class labels[i] (0 … count-1). Runs,
 * not codes, so that an interval on an attribute of 10^6 codes costs three entries. Neighbouring runs differ in class,
 * and classes are numbered in the order in which they first appear.
 */
export interface Partition {
  readonly starts: Int32Array
  readonly labels: Int32Array
  readonly count: number
}

/** All codes in one class. */
export const whole: Partition = { starts: new Int32Array(1), labels: new Int32Array(1), count: 1 }

/** Builds a partition from runs in ascending order; runs with the same key are one class, numbered as they appear. */
export class PartitionBuilder<K> {
  readonly #starts: number[] = []
  readonly #labels: number[] = []
  readonly #classes = new Map<K, number>()
  #latest = -1

  /** The class of the key; new when the key is. */
  run(start: number, key: K): number {
    const label = this.#classes.get(key) ?? this.count
    if (label === this.count) this.#classes.set(key, label)
    if (label !== this.#latest) {
      this.#starts.push(start)
      this.#labels.push(label)
    }
    this.#latest = label
    return label
  }

  get count(): number {
    return this.#classes.size
  }

  build(): Partition {
    return { starts: new Int32Array(this.#starts), labels: new Int32Array(this.#labels), count: this.count }
  }
}

/** The coarsest partition finer than both, and for each of its classes the class it comes from in either. */
interface Refinement {
  readonly partition: Partition
  readonly first: Int32Array
  readonly second: Int32Array
}

/** Where b splits nothing, the result's partition is a itself, its classes numbered as before. */
export function refine(a: Partition, b: Partition): Refinement {
  // A long history has split most classes already: then this takes no more than a look.
  const inA = classesIn(a, b)
  if (inA) return { partition: a, first: numbered(a.count), second: inA }
  const inB = classesIn(b, a)
  if (inB) return { partition: b, first: inB, second: numbered(b.count) }
  const builder = new PartitionBuilder<number>()
  const first: number[] = []
  const second: number[] = []
  for (let i = 0, j = 0, start = 0; start < end; ) {
    const left = a.labels[i]!
    const right = b.labels[j]!
    const label = builder.run(start, left * b.count + right)
    first[label] = left
    second[label] = right
    const nextA = startOf(a, i + 1)
    const nextB = startOf(b, j + 1)
    start = Math.min(nextA, nextB)
    if (nextA === start) i++
    if (nextB === start) j++
  }
  return { partition: builder.build(), first: new Int32Array(first), second: new Int32Array(second) }
}

/** Behind the last code of any attribute. */
const end = Number.POSITIVE_INFINITY
const startOf = ({ starts }: Partition, run: number): number => (run < starts.length ? starts[run]! : end)

/** 0, 1, 2, … */
export function numbered(count: number): Int32Array {
  const numbers = new Int32Array(count)
  for (let i = 0; i < count; i++) numbers[i] = i
  return numbers
}

/** The class of b in which each class of a lies; undefined where b splits one. */
export function classesIn(a: Partition, b: Partition): Int32Array | undefined {
  if (a.count < b.count) return undefined
  const classes = new Int32Array(a.count).fill(-1)
  for (let i = 0, j = 0; i < a.starts.length; ) {
    const label = a.labels[i]!
    const other = b.labels[j]!
    if (classes[label] === -1) classes[label] = other
    else if (classes[label] !== other) return undefined
    const nextA = startOf(a, i + 1)
    const nextB = startOf(b, j + 1)
    if (nextA <= nextB) i++
    if (nextB <= nextA) j++
  }
  return classes
}

/** The same codes in fewer classes: class c becomes labels[c], where new classes too are numbered as they appear. */
export function merge(p: Partition, labels: ArrayLike<number>): Partition {
  const builder = new PartitionBuilder<number>()
  for (let i = 0; i < p.starts.length; i++) builder.run(p.starts[i]!, labels[p.labels[i]!]!)
  return builder.build()
}

/** Some code of each class. */
export function representatives(p: Partition): Int32Array {
  const codes = new Int32Array(p.count)
  for (let i = p.starts.length - 1; i >= 0; i--) codes[p.labels[i]!] = p.starts[i]!
  return codes
}
