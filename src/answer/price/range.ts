import { fromNumber, multiply, one, type Rational, toNumber } from '../../numeric/index.ts'
import { isInNoiseRange, type LinearQuery, type NoiseLaw, noiseRange, noiseSpread } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import { epsilonOfRho, isPublic, scaleFor, varianceFor } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { halfWidth } from '../column/interval.ts'
import type { PricedPart } from './priced-part.ts'

/** What can be asked for, ends included. */
export interface Range {
  readonly least: number
  readonly most: number
}

const { least, greatest } = noiseRange
/** The noisiest law that is sold. */
const noisiest = (book: Book): NoiseLaw =>
  book.cap.rho === null
    ? { kind: 'laplace', scale: greatest }
    : { kind: 'gaussian', variance: multiply(greatest, greatest) }

/** The same law, or the noisiest that is sold where that is less: more precise than needed, for next to nothing. */
export const sellable = (law: NoiseLaw, book: Book): NoiseLaw =>
  law.kind === noisiest(book).kind && noiseSpread(law) > noiseSpread(noisiest(book)) ? noisiest(book) : law

/** Half-widths that `times` a query can have: a thousandth of a step is exact enough, and noise has an end. */
export function widthsOf(query: LinearQuery, times: number, confidence: number, book: Book): Range {
  const size = Math.abs(times)
  return {
    least: size * toNumber(multiply(least, query.step)),
    most: size * halfWidth({ query, law: noisiest(book) }, confidence),
  }
}

/** Refuses what no noise in range makes. */
export function checkRange(name: string, value: number, range: Range): void {
  if (value >= range.least && value <= range.most) return
  const [low, high] = [upTo3(range.least), downTo3(range.most)]
  throw problem(
    'usage',
    `${name} must be between ${low} and ${high} for this question, not ${value}`,
    'Noise outside this range would hide everything, or nothing.',
    { least: low, most: high },
  )
}

/** Refuses a price that buys noise out of range, for parts that share it. */
export function checkEpsilon(epsilon: Rational, parts: readonly PricedPart[], book: Book): void {
  if (parts.every(({ law }) => isInNoiseRange(law))) return
  checkRange('ε', toNumber(epsilon), pricesOf(parts, book))
}

function pricesOf(parts: readonly PricedPart[], { universe, terms: privacy, cap }: Book): Range {
  const terms = { universe, privacy }
  const costly = parts.filter(({ query }) => !isPublic(query, terms))
  const shares = costly.length
  if (cap.rho === null) {
    const units = costly.map(({ query }) => toNumber(scaleFor(query, one, terms)))
    const at = (unit: number, scale: Rational) => (shares * unit) / toNumber(scale)
    return { least: at(largest(units), greatest), most: at(smallest(units), least) }
  }
  const units = costly.map(({ query }) => toNumber(varianceFor(query, one, terms)))
  const at = (unit: number, deviation: Rational) =>
    epsilonOfRho(fromNumber((shares * unit) / toNumber(deviation) ** 2), privacy.delta)
  return { least: at(largest(units), greatest), most: at(smallest(units), least) }
}

const largest = (all: readonly number[]): number => all.reduce((a, b) => Math.max(a, b))
const smallest = (all: readonly number[]): number => all.reduce((a, b) => Math.min(a, b))

const digits = (value: number): number => 10 ** (Math.floor(Math.log10(value)) - 2)
/** To three digits, never below; and never above. */
export const upTo3 = (value: number): number =>
  Number(value.toPrecision(3)) >= value ? Number(value.toPrecision(3)) : Number((value + digits(value)).toPrecision(3))
const downTo3 = (value: number): number =>
  Number(value.toPrecision(3)) <= value ? Number(value.toPrecision(3)) : Number((value - digits(value)).toPrecision(3))
