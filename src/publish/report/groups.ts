import { type Attribute, label, nullCode } from '../../schema/index.ts'

/** Codes of an attribute that a picture shows as one. */
interface Shown {
  readonly label: string
  readonly codes: readonly number[]
}
export interface ShownAxis {
  readonly name: string
  readonly groups: readonly Shown[]
  /** What was put together; undefined if every value stands by itself. */
  readonly note?: string
}

/**
 * At most so many groups: neighbours of an attribute with an order go together, of any other the commonest stand by
 * themselves. `totals` has a number per code.
 */
export function shownAxis(attribute: Attribute, totals: ArrayLike<number>, most: number): ShownAxis {
  const { name, size } = attribute
  const named = (code: number) => label(attribute, code) ?? 'NULL'
  const single = (code: number): Shown => ({ label: named(code), codes: [code] })
  if (size <= most) return { name, groups: Array.from({ length: size }, (_, code) => single(code)) }
  if (attribute.kind === 'values') {
    const order = Array.from({ length: size }, (_, code) => code).sort((a, b) => totals[b]! - totals[a]! || a - b)
    const kept = order.slice(0, most - 1).sort((a, b) => a - b)
    const rest = { label: `${size - kept.length} others`, codes: order.slice(most - 1) }
    return { name, groups: [...kept.map(single), rest], note: `the ${kept.length} commonest of ${size}` }
  }
  const isOpen = nullCode(attribute) >= 0
  const values = isOpen ? size - 1 : size
  const width = Math.ceil(values / (isOpen ? most - 1 : most))
  const groups = Array.from({ length: Math.ceil(values / width) }, (_, i): Shown => {
    const codes = Array.from({ length: Math.min(width, values - i * width) }, (_, k) => i * width + k)
    return { label: codes.length === 1 ? named(codes[0]!) : `${named(codes[0]!)}–${named(codes.at(-1)!)}`, codes }
  })
  return { name, groups: isOpen ? [...groups, single(size - 1)] : groups, note: `${width} values at a time` }
}

/** The names and notes of axes that put values together, in a sentence's part; empty if none does. */
export const notesOf = (axes: readonly ShownAxis[]): string =>
  axes.flatMap(({ name, note }) => (note ? [`${name}: ${note}`] : [])).join('; ')
