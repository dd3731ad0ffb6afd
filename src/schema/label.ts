import { add, multiply, rational } from '../numeric/index.ts'
import { type Attribute, dateOrdinal, isoOf, nullCode, otherCode } from './attribute.ts'
import { binEdge } from './cells.ts'
import { decimalText } from './decimal-text.ts'

/** What a code is called in answers; null is SQL's NULL. A date's label is the first day of its day, month or year, a bin's are its ends. */
export function label(a: Attribute, code: number): string | null {
  if (code === nullCode(a)) return null
  switch (a.kind) {
    case 'values':
      return code === otherCode(a) ? 'other' : a.values[code]!
    case 'integer':
      return String(a.low + code)
    case 'decimal':
      return decimalText(add(a.low, multiply(a.step, rational(code))))
    case 'bins':
      return `[${decimalText(binEdge(a, code))}, ${decimalText(binEdge(a, code + 1))})`
    case 'boolean':
      return code === 1 ? 'true' : 'false'
    case 'date':
      return isoOf(dateOrdinal(a.from, a.by) + code, a.by)
  }
}
