import type { Node } from '@pgsql/types'
import { type Attribute, decimalText, isNumber } from '../../../schema/index.ts'
import type { Box } from '../condition/boxes.ts'
import { codesIn, everything } from '../condition/ranges.ts'
import { codesOf, type Rows } from '../result/rows.ts'
import { quoteName, type Scope, unsupported } from '../scope.ts'
import { operand } from './expression.ts'
import { computedSpread, isComputed, roundingStep, type Spread, type Summand, spread, valueCodes } from './moment.ts'
import type { Computed } from './scalar.ts'

/** What an aggregate adds up. */
export function summand(rows: Rows, node: Node): Summand {
  const of = operand(rows, node, true)
  if (of.kind === 'constant')
    throw unsupported(rows, node, 'a constant cannot be aggregated here', 'Multiply COUNT(*) by it.')
  if (of.kind === 'computed' ? of.type !== 'number' : !isNumber(of.attribute))
    throw unsupported(
      rows,
      node,
      `${of.kind === 'computed' ? 'this' : of.attribute.name} is not a number, so it cannot be added up`,
      of.type === 'boolean'
        ? 'Cast it, and true counts as 1: AVG(x::int) is the share for which it is true.'
        : 'Count it with COUNT, or group by it.',
    )
  return of.kind === 'computed' ? of : of.attribute
}

/** Says that a sum takes rounded numbers, where it does. */
export function noteRounding(scope: Scope, of: Summand, power: 1 | 2): void {
  const step = isComputed(of) ? roundingStep(of, power) : undefined
  if (step)
    scope.notes.add(
      `an expression of ${(of as Computed).attributes.map(({ name }) => quoteName(name)).join(' and ')} is rounded to multiples of ${decimalText(step)} before it is added up`,
    )
}

/** The values that a condition leaves, and their middle. */
export function spreadIn(rows: Rows, found: readonly Box[], of: Summand, power: 1 | 2): Spread {
  const left = (attribute: Attribute) => codesOf(found, rows.universe.index.get(attribute.name)!, attribute.size)
  if (!isComputed(of)) {
    const codes = valueCodes(of, left(of))
    return spread(of, codes.length > 0 ? codes : valueCodes(of, everything(of.size)))
  }
  noteRounding(rows, of, power)
  return computedSpread(
    of,
    placesLeft(
      of,
      of.attributes.map((each) => [...codesIn(left(each))]),
    ),
    power,
  )
}

/** The places of a computed number's values over the codes that are left. */
function* placesLeft(
  { attributes, places }: Computed,
  codes: readonly (readonly number[])[],
  axis = 0,
  cell = 0,
): Iterable<number> {
  for (const code of codes[axis]!) {
    const at = cell * attributes[axis]!.size + code
    if (axis + 1 < codes.length) yield* placesLeft({ attributes, places } as Computed, codes, axis + 1, at)
    else yield places[at]!
  }
}
