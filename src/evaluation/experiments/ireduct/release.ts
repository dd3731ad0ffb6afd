import { fromNumber } from '../../../numeric/index.ts'
import { countAll, type Measurement } from '../../../query/index.ts'
import {
  consistentMarginals,
  type MeasuredMarginals,
  type MethodName,
  measureMarginals,
} from '../../../release/index.ts'
import { ReticentError } from '../../../schema/index.ts'
import { type Counted, openCounted, oracle } from '../../marginals/index.ts'
import type { SeededBits } from '../../seeded.ts'

/** What is compared, by the name in tables and pictures. */
export const names = ['Oracle', 'iReduct', 'TwoPhase', 'iResamp', 'Laplace', 'default', 'fitted Laplace'] as const
/** iReduct takes noisy counts at their word in the paper, and so it does here. */
export const printed = 'iReduct as printed'
export type Name = (typeof names)[number] | typeof printed

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

/** Who measures, under what name, and what it is called once all of it is combined, projected and rounded. */
interface Measurer {
  readonly name: Name
  readonly method: MethodName
  readonly fitted?: Name
  readonly asPrinted?: boolean
}
const measurers: readonly Measurer[] = [
  { name: 'iReduct', method: 'ireduct', fitted: 'default' },
  { name: printed, method: 'ireduct', asPrinted: true },
  { name: 'TwoPhase', method: 'two-phase' },
  { name: 'iResamp', method: 'iresamp' },
  { name: 'Laplace', method: 'laplace', fitted: 'fitted Laplace' },
]

/** The marginals as each of these makes them, but for who cannot start: with λmax = n/10 they cost more than ε. */
export async function releaseAll(
  counted: Counted,
  setting: Setting,
  wanted: readonly Name[],
  bits: SeededBits,
): Promise<ReadonlyMap<Name, Released>> {
  const floor = setting.floorShare * counted.records
  const made = new Map<Name, Released>()
  made.set('Oracle', oracle(counted.counts, { epsilon: setting.epsilon, floor, unitPrice: 2 }, bits))
  for (const measurer of measurers.filter(({ name }) => wanted.includes(name))) {
    const measured = await release(counted, setting, measurer)
    if (!measured) continue
    const { name, fitted } = measurer
    made.set(
      name,
      measured.marginals.map(({ values }) => values),
    )
    if (fitted && wanted.includes(fitted)) made.set(fitted, published(counted, measured, bits))
  }
  return made
}

/** Through the shipped meter, with a ledger of its own; undefined if the method cannot start. */
async function release(
  counted: Counted,
  setting: Setting,
  { method, asPrinted }: Measurer,
): Promise<MeasuredMarginals | undefined> {
  const epsilon = fromNumber(setting.epsilon)
  const { context } = await openCounted(counted, { epsilon, neighbours: 'replace-one' })
  const request = {
    marginals: counted.marginals,
    method,
    budget: { epsilon },
    floor: { kind: 'share', share: setting.floorShare },
    records: { kind: 'known', count: counted.records },
    firstShare: fromNumber(setting.firstShare),
    ...(asPrinted ? { asPrinted } : {}),
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
