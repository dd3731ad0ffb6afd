import { fromNumber } from '../../../numeric/index.ts'
import { countAll, type Measurement } from '../../../query/index.ts'
import { consistentMarginals, type MeasuredMarginals, type Method, measureMarginals } from '../../../release/index.ts'
import { ReticentError } from '../../../schema/index.ts'
import { type Counted, openCounted, oracle } from '../../marginals/index.ts'
import type { SeededBits } from '../../seeded.ts'

/** What is compared, by the name in tables and pictures. */
export const names = ['Oracle', 'iReduct', 'TwoPhase', 'iResamp', 'Laplace', 'default', 'fitted Laplace'] as const
export type Name = (typeof names)[number]

/** What the methods are told. */
export interface Setting {
  readonly epsilon: number
  /** The sanity bound δ as a share of the number of records. */
  readonly floorShare: number
  /** Of TwoPhase: ε₁/ε. */
  readonly firstShare: number
}

/** Marginals, in the order that they were counted in. */
export type Released = readonly Float64Array[]

/** The marginals as each method makes them, but for those that cannot start: with λmax = n/10 they cost more than ε. */
export async function releaseAll(
  counted: Counted,
  setting: Setting,
  bits: SeededBits,
): Promise<ReadonlyMap<Name, Released>> {
  const floor = setting.floorShare * counted.records
  const made = new Map<Name, Released>()
  made.set('Oracle', oracle(counted.counts, { epsilon: setting.epsilon, floor, unitPrice: 2 }, bits))
  for (const [name, method] of methods) {
    const measured = await release(counted, setting, method)
    if (!measured) continue
    made.set(
      name,
      measured.marginals.map(({ values }) => values),
    )
    if (name in fitted) made.set(fitted[name]!, published(counted, measured, bits))
  }
  return made
}

const methods: readonly (readonly [Name, Method])[] = [
  ['iReduct', 'ireduct'],
  ['TwoPhase', 'two-phase'],
  ['iResamp', 'iresamp'],
  ['Laplace', 'laplace'],
]

/** What is made of some of them afterwards: the default, and whether it needs iReduct. */
const fitted: { readonly [N in Name]?: Name } = { iReduct: 'default', Laplace: 'fitted Laplace' }

/** Through the shipped meter, with a ledger of its own; undefined where the method cannot start. */
async function release(counted: Counted, setting: Setting, method: Method): Promise<MeasuredMarginals | undefined> {
  const epsilon = fromNumber(setting.epsilon)
  const { context } = await openCounted(counted, { epsilon, neighbours: 'replace-one' })
  const request = {
    marginals: counted.marginals,
    method,
    epsilon,
    floor: { kind: 'share', share: setting.floorShare },
    records: { kind: 'known', count: counted.records },
    firstShare: fromNumber(setting.firstShare),
  } as const
  return measureMarginals(request, context).catch((error) => {
    if (error instanceof ReticentError && error.code === 'scale-invalid') return undefined
    throw error
  })
}

/** What is published unless raw values are asked for: all answers and n, which is public, combined, projected and rounded. */
function published({ universe, marginals, records }: Counted, measured: MeasuredMarginals, bits: SeededBits): Released {
  const n: Measurement = { id: 'n', query: countAll, law: { kind: 'none' }, values: Float64Array.of(records) }
  const measurements = [n, ...measured.receipts.flatMap((receipt) => receipt.measurements)]
  return consistentMarginals(universe, marginals, { measurements, random: bits.uniform }).counts
}
