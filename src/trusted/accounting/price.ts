import { divide, multiply, one, type Rational, rational } from '../../numeric/index.ts'
import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import { type Privacy, ReticentError, type Universe } from '../../schema/index.ts'
import type { Charge } from './account.ts'
import { range, sensitivity } from './sensitivity.ts'
import { chargeUnits, type Units } from './units.ts'

/** What a price depends on besides the charge: the cells there are, and whom the policy protects against what. */
export interface Terms {
  readonly universe: Universe
  readonly privacy: Pick<Privacy, 'unit' | 'neighbours'>
}

const invalid = (message: string) => new ReticentError('scale-invalid', {}, { message })

/** The rows that one protected unit may have. */
export const rowsOf = (terms: Terms): number => (terms.privacy.unit.kind === 'row' ? 1 : terms.privacy.unit.rows)

/**
 * What one protected unit can move the answer by, in steps, in L1. A person of up to k rows may be replaced by one with
 * another number of rows, so there ranges say nothing: it counts as one removed and one added.
 */
function movement(query: LinearQuery, terms: Terms): Rational {
  const rows = rational(rowsOf(terms))
  const once = () => rational(BigInt(sensitivity(query, terms.universe)))
  if (terms.privacy.neighbours === 'add-remove') return multiply(rows, once())
  return rowsOf(terms) === 1
    ? rational(BigInt(range(query, terms.universe)))
    : multiply(multiply(rational(2), rows), once())
}

type Of<K extends NoiseLaw['kind']> = Extract<NoiseLaw, { kind: K }>

/** ε per step of weight, by law; undefined where no finite ε holds. A currency of ρ is one more such table. */
const epsilonPerStep: { [K in NoiseLaw['kind']]: (law: Of<K>) => Rational | undefined } = {
  laplace: (law) => {
    if (law.scale.num <= 0n) throw invalid('a noise scale must be above 0')
    return divide(one, law.scale)
  },
  gaussian: (law) => {
    if (law.variance.num <= 0n) throw invalid('a noise variance must be above 0')
    return undefined
  },
  none: () => undefined,
}

/** The law's ε per step of weight; undefined: infinitely much. */
export const stepCost = <K extends NoiseLaw['kind']>(law: Of<K>): Rational | undefined =>
  (epsilonPerStep[law.kind] as (law: Of<K>) => Rational | undefined)(law)

/** Whether the answer is public, the same for all tables that may be neighbours: it needs no noise and costs nothing. */
export const isPublic = (query: LinearQuery, terms: Terms): boolean =>
  terms.privacy.neighbours === 'replace-one' && movement(query, terms).num === 0n

/**
 * The charge's own cost, as if it were the only one: rounded up to units, never too small. An answer without noise
 * is possible, and free, only where it is public.
 */
export function price(charge: Charge, terms: Terms): Units {
  const cost = stepCost(charge.law)
  if (charge.law.kind === 'none' && !isPublic(charge.query, terms)) {
    throw invalid('an answer without noise must be the same for every table of one length')
  }
  const moved = movement(charge.query, terms)
  if (moved.num === 0n) return 0
  return cost ? chargeUnits(multiply(cost, moved)) : Number.POSITIVE_INFINITY
}

/**
 * The scale of Laplace noise, in steps, at which the query costs ε: its price is chargeUnits(ε), not a unit more. A
 * query that nobody can move costs nothing at any scale; it gets scale 1.
 */
export function scaleFor(query: LinearQuery, epsilon: Rational, terms: Terms): Rational {
  if (epsilon.num <= 0n) throw invalid('a privacy cost must be above 0')
  const moved = movement(query, terms)
  return moved.num === 0n ? one : divide(moved, epsilon)
}
