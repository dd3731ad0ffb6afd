import { rational, toNumber } from '../../numeric/index.ts'
import { type Factor, type LinearQuery, type Quantile, queryKey, type Term } from '../../query/index.ts'

/** Quantiles of the same records and attribute: counts of ranges serve all of them. */
export interface Family {
  readonly attribute: string
  /** All records that count, in their groups. */
  readonly records: LinearQuery
  /** Records have a code from … to. */
  readonly from: number
  readonly to: number
  readonly quantiles: readonly Member[]
}
export interface Member {
  /** Its place in the statement. */
  readonly index: number
  readonly quantile: Quantile
}

export function familiesOf(quantiles: readonly Quantile[]): Family[] {
  const families = new Map<string, Member[]>()
  quantiles.forEach((quantile, index) => {
    const key = `${quantile.attribute} ${queryKey(quantile.records)}`
    families.set(key, [...(families.get(key) ?? []), { index, quantile }])
  })
  return [...families.values()].map((members) => {
    const { attribute, records, from, to } = members[0]!.quantile
    return { attribute, records, from, to, quantiles: members }
  })
}

/** Number of records in each range between cuts, in each group. A cut at k lies between the codes k and k + 1. */
export function rangeCounts({ attribute, records, from, to }: Family, cuts: readonly number[]): LinearQuery {
  const starts = [from, ...cuts.map((cut) => cut + 1)]
  const groups = starts.map((start, i) => ({ kind: 'interval', from: start, to: cuts[i] ?? to }) as const)
  return { ...records, by: [...records.by, { attribute, groups }] }
}

/**
 * g = F(k) - pN in each group, where F(k) is the number of records at or below a cut and N of all: the quantile lies above the
 * cut if g is below 0, and not above it otherwise.
 */
export function excessAt({ attribute, share, records }: Quantile, cut: number): LinearQuery {
  const [num, den] = [Number(share.num), Number(share.den)]
  const times = (terms: readonly Term[], by: number): Term[] =>
    terms.map((term) => ({ ...term, coefficient: by * term.coefficient }))
  const below = records.terms.flatMap((term) => {
    const factor = upTo(term.factors[attribute], cut)
    return factor ? [{ ...term, factors: { ...term.factors, [attribute]: factor } }] : []
  })
  return { ...records, terms: [...times(below, den), ...times(records.terms, -num)], step: rational(1, share.den) }
}

/** The part of a condition on the attribute that is at or below the cut; undefined if there is none. */
function upTo(f: Factor | undefined, cut: number): Factor | undefined {
  if (!f) return { kind: 'interval', from: 0, to: cut }
  if (f.kind === 'interval') return f.from > cut ? undefined : { ...f, to: Math.min(f.to, cut) }
  if (f.kind !== 'set') throw new RangeError('a condition is an interval or a set of codes')
  const codes = f.codes.filter((code) => code <= cut)
  return codes.length > 0 ? { ...f, codes } : undefined
}

/** On which side of 0 g certainly is: the quantile is above the cut, or it is not; undefined if noise hides it. */
export function sideOf({ kind, upper, share }: Quantile, low: number, high: number): 'above' | 'below' | undefined {
  // Between two records' values g is between -p and 1 - p, and the value between them depends on how far.
  const [least, most] = kind === 'continuous' ? [-toNumber(share), 1 - toNumber(share)] : [0, 0]
  if (kind === 'continuous' || upper ? high <= least : high < least) return 'above'
  return (upper ? low > most : low >= most) ? 'below' : undefined
}
