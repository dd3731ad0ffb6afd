import type { Bought } from '../../meter.ts'
import type { Job } from '../job.ts'
import type { MarginalsContext, MeasuredMarginal } from '../request.ts'

/** How a method measures: what came out, and what it was bought by. */
export type Measure = <Receipt extends Bought>(
  job: Job,
  context: MarginalsContext<Receipt>,
) => Promise<{ readonly marginals: readonly MeasuredMarginal[]; readonly receipt: Receipt }>
