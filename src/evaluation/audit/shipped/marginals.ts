import { rational, toNumber } from '../../../numeric/index.ts'
import { type Measurement, marginalOver } from '../../../query/index.ts'
import { type MethodName, measureMarginals, methodNamed } from '../../../release/index.ts'
import { rhoCap, unitsToRational } from '../../../trusted/accounting/index.ts'
import { type Counted, openCounted } from '../../marginals/index.ts'
import { evidenceOf } from '../evidence.ts'
import type { Mechanism, Output } from '../mechanism.ts'
import { people } from './people.ts'

/** A run takes milliseconds, so there are few of them: a larger loss shows in fewer. */
const epsilon = rational(4)
/** Large, so that what happens beyond it is seen often. */
const delta = rational(1, 1000)
const marginals = [['sex'], ['age']]
const records = 200

/** Counts by sex and by age: all that a release of these two marginals looks at. */
const tableOf = (sex: readonly number[], age: readonly number[]): Counted => ({
  name: 'people',
  universe: people,
  records,
  marginals,
  counts: [Float64Array.from(sex), Float64Array.from(age)],
})

/** One of the few is replaced by one of the many: small counts are what the methods look at to share out the noise. */
const left = tableOf([190, 10], [160, 25, 10, 5])
const right = tableOf([191, 9], [161, 25, 10, 4])

/** What is released, in which currency: ε, or the ρ that comes to it at δ. */
interface Form {
  readonly method: MethodName
  readonly currency: 'epsilon' | 'rho'
}

/** A whole release through the meter: what it returns, and how much all that is in the history speaks for the left table. */
async function releaseOnce(table: Counted, { method, currency }: Form): Promise<Output> {
  const isRho = currency === 'rho'
  const { book, context } = await openCounted(table, { epsilon, neighbours: 'replace-one', ...(isRho && { delta }) })
  const released = await measureMarginals(
    {
      marginals,
      method,
      budget: isRho ? { rho: unitsToRational(rhoCap(epsilon, delta)) } : { epsilon },
      floor: { kind: 'count', count: 10 },
      records: { kind: 'known', count: records },
      firstShare: rational(1, 4),
      // Scales from 2 down in steps of 1/10: enough to choose between, few enough for many runs.
      startShare: rational(1, 100),
      stepShare: rational(1, 2000),
    },
    context,
  )
  const seen = book.releases.flatMap(({ measurements }) => measurements)
  return [
    seen.reduce((sum, measurement) => sum + evidence(measurement), 0),
    ...released.marginals.map(({ scale }) => scale),
    ...released.marginals.flatMap(({ values }) => Array.from(values)),
  ]
}

/** How much an answer speaks for the left table. */
function evidence(measurement: Measurement): number {
  const m = marginals.findIndex((attributes) => attributes.join() === marginalOver(measurement.query)!.join())
  return evidenceOf(measurement, left.counts[m]!, right.counts[m]!)
}

const abouts: { readonly [M in MethodName]: string } = {
  laplace: 'two marginals with equal noise (Dwork et al.)',
  gaussian: 'two marginals with equal Gaussian noise',
  'two-phase': 'two marginals, the noise shared out by a first, rough look (TwoPhase)',
  ireduct: 'two marginals whose noise is lowered step by step where that helps (iReduct)',
  iresamp: 'two marginals, asked again with half the noise where that helps (iResamp)',
}
const forms = (Object.keys(abouts) as MethodName[]).flatMap((method): Form[] =>
  methodNamed(method).pays.map((currency) => ({ method, currency })),
)

/** Whole releases of marginals, by each method, where one record is replaced. */
export const marginalsMechanisms: readonly Mechanism[] = forms.map((form) => {
  const { method, currency } = form
  const isSecond = currency === 'rho' && methodNamed(method).pays.length > 1
  return {
    name: `marginals-${method}${isSecond ? '-gaussian' : ''}`,
    kind: 'shipped',
    about: `${abouts[method]}${isSecond ? ', with Gaussian noise' : ''}`,
    claim: { epsilon: toNumber(epsilon), delta: currency === 'rho' ? toNumber(delta) : 0 },
    pairs: [
      {
        name: 'one of the few is replaced',
        left: () => releaseOnce(left, form),
        right: () => releaseOnce(right, form),
      },
    ],
  }
})
