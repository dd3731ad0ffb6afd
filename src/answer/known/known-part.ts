import { type ErrorLaw, errorLawByCharacteristic, lawOf, type Source, type Term } from '../../inference/index.ts'
import { multiply, rational, toNumber } from '../../numeric/index.ts'
import type { Measurement } from '../../query/index.ts'
import { type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import { type Known, remembering } from './known.ts'

/** What is known about one part of a statement, in the data's own units. */
export interface KnownPart {
  /** One estimate per group. */
  readonly values: Float64Array
  /** The law of a group's error. */
  errorLaw(group: number): ErrorLaw
  /** The measurements that a group's estimate was made of. */
  sources(group: number): readonly Source[]
  readonly price: Spending
  /** Where all groups are from: the history's best estimates, or one measurement. */
  readonly origin?: 'history' | Pick<Measurement, 'query' | 'law'>
}

/** What the history says. */
export const fromHistory = (known: readonly Known[], blur?: number): KnownPart => ({
  values: Float64Array.from(known, ({ estimate }) => estimate),
  errorLaw: (group) => known[group]!.errorLaw(blur),
  sources: (group) => known[group]!.made.sources,
  price: zeroSpending,
  origin: 'history',
})

/** What a measurement by itself says. */
export function fromMeasurement({ id, query, law, values }: Measurement, price: Spending): KnownPart {
  const inUnits = (steps: number | bigint) => toNumber(multiply(rational(steps), query.step))
  const errorLaw = remembering(errorLawByCharacteristic(noiseOf({ query, law })))
  const sources = [{ id, weight: toNumber(query.step), variance: errorLaw.variance }]
  return {
    values: Float64Array.from({ length: values.length }, (_, i) => inUnits(values[i]!)),
    errorLaw: () => errorLaw,
    sources: () => sources,
    price,
    origin: { query, law },
  }
}

/** The noise of one number of a measurement; none where the number is public. */
export function noiseOf({ query, law }: Pick<Measurement, 'query' | 'law'>): Term[] {
  const noise = lawOf(law)
  return noise ? [{ law: noise, coefficient: toNumber(query.step), count: 1 }] : []
}

/** What one measurement says, whatever else was released, in the history's form. */
export function knownAlone(measurement: Measurement): Known[] {
  const { values, sources, errorLaw } = fromMeasurement(measurement, zeroSpending)
  const made = {
    estimable: true,
    coefficients: noiseOf(measurement),
    rounding: { estimate: 0, variance: 0 },
    leftOut: 0,
    dwarfed: 0,
  } as const
  return Array.from(values, (estimate, group) => {
    const law = errorLaw(group)
    const { variance } = law
    return { estimate, made: { ...made, estimate, variance, sources: sources(group) }, errorLaw: () => law }
  })
}
