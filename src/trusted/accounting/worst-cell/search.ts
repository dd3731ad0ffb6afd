import { strides } from '../../../numeric/index.ts'
import type { Units } from '../units.ts'
import type { Field } from './field.ts'

/** A cell, as a common class per attribute, and what the field's tables say it costs. */
interface Found {
  readonly classes: Int32Array
  readonly units: Units
}

/** Looks for costly cells: what it finds is a lower bound on the tables' maximum. Deterministic. */
export class Search {
  readonly #field: Field
  readonly #offsets: Int32Array[][]
  /** Per attribute: its nodes, with the axis it is there. */
  readonly #touching: [node: number, axis: number][][]

  constructor(field: Field) {
    this.#field = field
    this.#offsets = field.nodes.map(({ table, classOf }) => {
      const step = strides(table.partitions.map((p) => p.count))
      return classOf.map((classes, axis) => classes.map((c) => c * step[axis]!))
    })
    this.#touching = field.common.map((_, a) =>
      field.nodes.flatMap((n, i) => {
        const axis = n.table.attributes.indexOf(a)
        return axis < 0 ? [] : [[i, axis] as [number, number]]
      }),
    )
  }

  /** The cell that the messages point at, improved one attribute at a time. */
  decode(): Found {
    return this.#climb(Int32Array.from(this.#field.received, (r) => r.indexOf(r.reduce((a, b) => Math.max(a, b)))))
  }

  /** The best of several climbs, each from the best so far with a few attributes drawn anew. */
  restart(times: number): Found {
    const draw = generator()
    let best = this.decode()
    for (let i = 0; i < times; i++) {
      const classes = Int32Array.from(best.classes, (c, a) =>
        draw() < 0.4 ? Math.floor(draw() * this.#field.common[a]!.count) : c,
      )
      const found = this.#climb(classes)
      if (found.units > best.units) best = found
    }
    return best
  }

  #place(node: number, classes: Int32Array): number {
    const { attributes } = this.#field.nodes[node]!.table
    return attributes.reduce((at, a, axis) => at + this.#offsets[node]![axis]![classes[a]!]!, 0)
  }

  #climb(classes: Int32Array): Found {
    for (let again = true; again; ) {
      again = false
      for (let a = 0; a < classes.length; a++) {
        const sums = this.#along(a, classes)
        const best = sums.indexOf(sums.reduce((x, y) => Math.max(x, y)))
        if (sums[best]! > sums[classes[a]!]!) {
          classes[a] = best
          again = true
        }
      }
    }
    const { constant, nodes } = this.#field
    return { classes, units: nodes.reduce((sum, n, i) => sum + n.table.units[this.#place(i, classes)]!, constant) }
  }

  /** What the tables with this attribute cost for each of its classes, all others standing. */
  #along(attribute: number, classes: Int32Array): Float64Array {
    const sums = new Float64Array(this.#field.common[attribute]!.count)
    for (const [node, axis] of this.#touching[attribute]!) {
      const { units } = this.#field.nodes[node]!.table
      const offsets = this.#offsets[node]![axis]!
      const base = this.#place(node, classes) - offsets[classes[attribute]!]!
      for (let c = 0; c < sums.length; c++) sums[c] = sums[c]! + units[base + offsets[c]!]!
    }
    return sums
  }
}

/** Numbers in [0, 1) for the search alone (Marsaglia's xorshift); nothing private hangs on them. */
function generator(): () => number {
  let state = 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
