import { compare, type Rational, subtract, zero } from '../../numeric/index.ts'
import {
  attributeNamed,
  type BinsAttribute,
  binEdge,
  binValue,
  decimalText,
  type Universe,
  valueCount,
} from '../../schema/index.ts'
import type { LinearQuery } from '../linear-query.ts'

/** What the intervals of these parts leave out: how far what a sum takes for a bin can be from what is recorded. */
export function notesOf(parts: readonly LinearQuery[], universe: Universe): string[] {
  const factors = parts.flatMap(({ terms }) => terms.flatMap((term) => Object.entries(term.factors)))
  const summed = new Set(factors.filter(([, { kind }]) => kind === 'value' || kind === 'table').map(([name]) => name))
  const bins = [...summed].map((name) => attributeNamed(universe, name)).filter((a) => a.kind === 'bins')
  return bins.map((a) => {
    const taken = a.stated.length > 0 ? 'the value that the policy states for' : 'the middle of'
    return `${a.name} counts as ${taken} its bin, off by up to ${decimalText(farthest(a))} per record; intervals leave that out`
  })
}

function farthest(a: BinsAttribute): Rational {
  if (a.width && a.stated.length === 0) return subtract(binValue(a, 0), a.low)
  let most = zero
  for (let bin = 0; bin < valueCount(a); bin++)
    for (const off of [subtract(binValue(a, bin), binEdge(a, bin)), subtract(binEdge(a, bin + 1), binValue(a, bin))])
      if (compare(off, most) > 0) most = off
  return most
}
