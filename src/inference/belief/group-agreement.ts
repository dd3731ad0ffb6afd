import { errorLawByCharacteristic } from '../error-law/characteristic.ts'
import type { ErrorLaw } from '../error-law/error-law.ts'
import { type Term, varianceOfError } from '../error-law/law.ts'
import type { Retelling } from './retelling.ts'

/** Groups that are told by other noises are compared by other laws; with more of them nothing is looked at. */
const mostLaws = 500

/**
 * How often noise alone makes measurements disagree so much, about any group or about all groups together. Every
 * measurement is compared with the mean of the others, by the law of their difference; the chance of the least likely one
 * is multiplied by the number of comparisons, so that over all groups it is at most p with probability p or less.
 * undefined where no two of them say anything about the same group. Proof: docs/algorithms/error-law.md
 */
export function chanceOfGroupDisagreement(retellings: readonly Retelling[]): number | undefined {
  const groups = retellings[0]?.values.length ?? 0
  const laws = new Map<string, readonly Comparison[]>()
  const single = new Rarest()
  for (let group = 0; group < groups && laws.size <= mostLaws; group++) {
    const telling = retellings.filter(({ values }) => !Number.isNaN(values[group]))
    const key = keyOf(retellings, group)
    const own = laws.get(key) ?? comparisonsOf(telling.map(({ kinds, errors }) => errors[kinds[group]!]!))
    laws.set(key, own)
    single.take(
      own,
      telling.map(({ values }) => values[group]!),
    )
  }
  if (laws.size > mostLaws) return undefined
  const whole = new Rarest()
  const all = groups > 1 ? retellings.filter(({ values }) => !values.includes(Number.NaN)) : []
  whole.take(
    comparisonsOf(all.map(errorOfTotal)),
    all.map(({ values }) => values.reduce((sum, x) => sum + x, 0)),
  )
  const found = [single, whole].filter(({ count }) => count > 0)
  // Half of the doubt for each.
  return found.length === 0
    ? undefined
    : Math.min(1, found.length * Math.min(...found.map((of) => of.count * of.chance)))
}

/** Which of them tell a group, and by which noises. */
function keyOf(retellings: readonly Retelling[], group: number): string {
  let key = ''
  for (const { values, kinds } of retellings) key += Number.isNaN(values[group]) ? ',' : `${kinds[group]},`
  return key
}

/** One number less the mean of others that say the same. A law that is blurred more takes a tenth of the time, and overstates chances by a tenth. */
interface Comparison {
  readonly weights: readonly number[]
  readonly law: ErrorLaw
}

function comparisonsOf(errors: readonly (readonly Term[])[]): Comparison[] {
  if (errors.length < 2) return []
  const precisions = errors.map((terms) => 1 / varianceOfError(terms))
  const total = precisions.reduce((sum, of) => sum + of, 0)
  // Of two, one is as far from the other as the other from the one.
  return (errors.length === 2 ? [0] : [...errors.keys()]).map((one) => {
    const weights = precisions.map((of, i) => (i === one ? 1 : -of / (total - precisions[one]!)))
    const terms = errors.flatMap((own, i) =>
      own.map((term) => ({ ...term, coefficient: term.coefficient * weights[i]! })),
    )
    return { weights, law: errorLawByCharacteristic(terms, { blur: Math.sqrt(varianceOfError(terms)) / 20 }) }
  })
}

/** The noises in the sum of all groups. */
function errorOfTotal({ kinds, errors }: Retelling): Term[] {
  const groups = new Int32Array(errors.length)
  for (const kind of kinds) groups[kind]!++
  return errors.flatMap((terms, kind) => terms.map((term) => ({ ...term, count: term.count * groups[kind]! })))
}

/** The least likely of some comparisons, and their number. */
class Rarest {
  chance = 1
  count = 0

  take(comparisons: readonly Comparison[], values: readonly number[]): void {
    for (const { weights, law } of comparisons) {
      const difference = weights.reduce((sum, weight, i) => sum + weight * values[i]!, 0)
      this.chance = Math.min(this.chance, chanceBeyond(law, Math.abs(difference)))
      this.count++
    }
  }
}

/** Pr(|error| ≥ off), rather too large than too small: the law may be moved, and off. */
function chanceBeyond({ cdf, blur, slack }: ErrorLaw, off: number): number {
  // As far but for rounding.
  const least = off * (1 - 1e-9) - blur
  return least <= 0 ? 1 : Math.min(1, 2 * cdf(-least) + slack)
}
