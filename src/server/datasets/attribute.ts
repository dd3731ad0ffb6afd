import { type Attribute, decimalText, isNumber, label, nullCode, otherCode } from '../../schema/index.ts'
import type { AttributeSummary, AttributeValues } from '../api/index.ts'

/** How many labels stand in the description itself. */
const first = 60

/** What the policy says about an attribute. */
export function attributeSummary(a: Attribute): AttributeSummary {
  return {
    name: a.name,
    kind: a.kind,
    isNumber: isNumber(a),
    cells: a.size,
    hasNull: nullCode(a) >= 0,
    hasOther: otherCode(a) >= 0,
    ...boundsOf(a),
    labels: labels(a, 0, Math.min(first, a.size)),
    more: Math.max(0, a.size - first),
  }
}

function boundsOf(a: Attribute): Pick<AttributeSummary, 'low' | 'high' | 'step' | 'by'> {
  switch (a.kind) {
    case 'integer':
      return { low: String(a.low), high: String(a.high), step: '1' }
    case 'decimal':
      return { low: decimalText(a.low), high: decimalText(a.high), step: decimalText(a.step) }
    case 'bins':
      return { low: decimalText(a.low), high: decimalText(a.high), ...(a.width && { step: decimalText(a.width) }) }
    case 'date':
      return { low: a.from, high: a.to, by: a.by }
    default:
      return {}
  }
}

const labels = (a: Attribute, from: number, to: number): (string | null)[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => label(a, from + i))

/** One page of an attribute's labels; with a search, of those that contain it. */
export function attributeValues(
  a: Attribute,
  { search = '', offset, limit }: { readonly search?: string; readonly offset: number; readonly limit: number },
): AttributeValues {
  if (search === '') return { total: a.size, offset, labels: labels(a, offset, Math.min(a.size, offset + limit)) }
  const wanted = search.toLowerCase()
  const found: (string | null)[] = []
  let total = 0
  for (let code = 0; code < a.size; code++) {
    const text = label(a, code)
    if (!text?.toLowerCase().includes(wanted)) continue
    if (total >= offset && found.length < limit) found.push(text)
    total++
  }
  return { total, offset, labels: found }
}
