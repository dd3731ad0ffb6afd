import type { Attribute } from './attribute.ts'
import { problem } from './error.ts'
import { suggesting } from './nearest.ts'

/** All cells that a record could fall in: the product of the attributes' codes. */
export interface Universe {
  readonly attributes: readonly Attribute[]
  readonly index: ReadonlyMap<string, number>
  /** Number of cells; exact, and often beyond 2^53. */
  readonly size: bigint
  /** Natural logarithm of the number of cells. */
  readonly logSize: number
}

export function universe(attributes: readonly Attribute[]): Universe {
  return {
    attributes,
    index: new Map(attributes.map((a, i) => [a.name, i])),
    size: attributes.reduce((size, a) => size * BigInt(a.size), 1n),
    logSize: attributes.reduce((sum, a) => sum + Math.log(a.size), 0),
  }
}

export function attributeNamed(u: Universe, name: string): Attribute {
  const i = u.index.get(name)
  if (i !== undefined) return u.attributes[i]!
  const all = [...u.index.keys()]
  throw problem('unknown-name', `there is no attribute ${suggesting(name, all)}`, `The policy has ${all.join(', ')}.`, {
    name,
  })
}
