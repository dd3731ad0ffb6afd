import { countAll, type Grouping, type LinearQuery } from '../../../query/index.ts'
import type { Attribute, Universe } from '../../../schema/index.ts'

/** Attributes that a grid may have: with more its cells are too wide to tell much of a range. */
const mostAttributes = 3

/** So much of (nε)^(2d/(d+2)), for one attribute and for each further one. */
const [first, further] = [0.25, 0.4]

/**
 * Counts of blocks of neighbouring codes, about as many along every attribute, for ranges to begin from; undefined where that would be
 * a single block. A range cuts blocks at its ends, where the model is wrong by a share of their records; and it adds up the noise of those inside. With G
 * blocks of d attributes the first is about (n/G^(1/d))², the second G/ε²: least at G ∝ (nε)^(2d/(d+2)). The factor was settled on
 * generated tables: docs/algorithms/mwem.md
 */
export function rangeGrid({ attributes }: Universe, records: number, epsilon: number): LinearQuery | undefined {
  const wide = attributes.filter(({ size }) => size > 1).sort((a, b) => a.size - b.size)
  const d = wide.length
  if (d === 0 || d > mostAttributes) return undefined
  let left = first * further ** (d - 1) * (records * epsilon) ** ((2 * d) / (d + 2))
  const groupings = wide.map((attribute, i): [string, Grouping] => {
    const count = Math.max(1, Math.min(attribute.size, Math.round(left ** (1 / (d - i)))))
    left /= count
    return [attribute.name, blocks(attribute, count)]
  })
  const cells = groupings.reduce((product, [, { groups }]) => product * groups!.length, 1)
  const byName = new Map(groupings)
  return cells > 1 ? { ...countAll, by: attributes.flatMap(({ name }) => byName.get(name) ?? []) } : undefined
}

function blocks({ name, size }: Attribute, count: number): Grouping {
  const edge = (i: number) => Math.round((i * size) / count)
  const groups = Array.from(
    { length: count },
    (_, i) => ({ kind: 'interval', from: edge(i), to: edge(i + 1) - 1 }) as const,
  )
  return { attribute: name, groups }
}
