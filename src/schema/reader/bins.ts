import { compare, divide, equals, gcd, type Rational, subtract } from '../../numeric/index.ts'
import { type BinsAttribute, valueCount } from '../attribute.ts'
import { binEdge } from '../cells.ts'
import type { Entry, Reading } from './reading.ts'

/** Given edges are tables in every query that adds up values, and in the ledger. */
const mostGiven = 1000

type Bins = Pick<BinsAttribute, 'kind' | 'low' | 'high' | 'width' | 'edges' | 'stated'>

/** Why these are no bins; undefined if they are. */
export function binsFault(bins: Bins): string | undefined {
  return edgesFault(bins) ?? statedFault(bins)
}

function edgesFault({ low, high, width, edges }: Bins): string | undefined {
  if (!areShort(width ? [low, high, width] : edges))
    return 'edges have at most 15 digits, counted from the first of the largest to the last decimal of the finest'
  if (compare(low, high) >= 0) return 'the first edge must be below the last'
  if (width) {
    if (edges.length > 0 || width.num <= 0n || divide(subtract(high, low), width).den !== 1n)
      return 'the width must fit a whole number of times between the first and the last edge'
    return undefined
  }
  if (edges.length > mostGiven + 1) return `at most ${mostGiven} bins can be given by their edges; use a width`
  if (edges.length < 2 || !equals(edges[0]!, low) || !equals(edges.at(-1)!, high)) return 'expected two edges or more'
  const falling = edges.findIndex((edge, i) => i > 0 && compare(edge, edges[i - 1]!) <= 0)
  return falling < 0 ? undefined : `edges must be ascending, but number ${falling + 1} is not`
}

function statedFault(bins: Bins): string | undefined {
  const { stated } = bins
  if (stated.length === 0) return undefined
  const attribute = { ...bins, name: '', closed: true, size: 0 }
  const count = valueCount(attribute)
  if (count > mostGiven) return `values can be stated for at most ${mostGiven} bins`
  if (stated.length !== count) return `expected one value for each of the ${count} bins, found ${stated.length}`
  if (!areShort(stated)) return 'values have at most 15 digits'
  const outside = stated.findIndex(
    (value, i) => compare(value, binEdge(attribute, i)) < 0 || compare(value, binEdge(attribute, i + 1)) > 0,
  )
  return outside < 0 ? undefined : `value number ${outside + 1} lies outside its bin`
}

/**
 * Whether all are whole multiples, below 2^53, of one negative power of ten: then an engine finds the double nearest to
 * each edge by one division of exact doubles, and compares exactly as this process does.
 */
function areShort(values: readonly Rational[]): boolean {
  const unit = values.reduce((n, { den }) => (n / gcd(n, den)) * den, 1n)
  let power = 1n
  while (power < 10n ** 15n && power % unit !== 0n) power *= 10n
  const limit = 10n ** 15n
  return (
    power % unit === 0n && values.every(({ num, den }) => num * (power / den) < limit && -num * (power / den) < limit)
  )
}

/** `{ bins: [0, 10, 50] }`, or `{ bins: [0, 600], width: 10 }`; `values:` says what a sum takes for each. */
export function readBins(reading: Reading, domain: Entry, fields: ReadonlyMap<string, Entry>): Bins | undefined {
  const edges = readNumbers(reading, domain, 'edges, each a number')
  const width = fields.has('width') ? reading.number(fields.get('width')!, 'a number above 0', (r) => r.num > 0n) : null
  const stated = fields.has('values') ? readNumbers(reading, fields.get('values')!, 'values, one number per bin') : []
  if (!edges || width === undefined || !stated) return undefined
  if (edges.length < 2 || (width && edges.length > 2)) {
    const expected = width ? '[first edge, last edge] beside a width' : 'two edges or more'
    return reading.mistake(domain, `expected ${expected}, found ${edges.length} of them`)
  }
  const bins: Bins = { kind: 'bins', low: edges[0]!, high: edges.at(-1)!, width, edges: width ? [] : edges, stated }
  const fault = binsFault(bins)
  return fault === undefined ? bins : reading.mistake(domain, fault)
}

function readNumbers(reading: Reading, entry: Entry, expected: string): Rational[] | undefined {
  const numbers = reading.items(entry, `a list of ${expected}`)?.map((at) => reading.number(at, 'a number', () => true))
  return numbers?.every((n) => n !== undefined) ? numbers : undefined
}
