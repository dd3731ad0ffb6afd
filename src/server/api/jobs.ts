import { type Static, Type } from 'typebox'
import type { FreeSynthPlan, MarginalsPlan, SynthesisPlan, TreePlan } from '../../index.ts'
import { Amount, Cost, closed, Failure, fromLibrary, oneOf } from './common.ts'

const text = (most = 40) => Type.Optional(Type.String({ maxLength: most }))
const amount = Type.Optional(Amount)
const as = text(200)

/** The options of `reticent release marginals`. */
const MarginalsJob = Type.Object(
  {
    kind: Type.Literal('marginals'),
    options: Type.Object(
      {
        ways: amount,
        of: Type.Optional(
          Type.Array(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 }), { maxItems: 5000 }),
        ),
        with: text(200),
        epsilon: amount,
        free: Type.Optional(Type.Boolean()),
        method: Type.Optional(oneOf('ireduct', 'laplace', 'two-phase', 'iresamp', 'gaussian')),
        floor: amount,
        weights: Type.Optional(Type.Array(Type.Number(), { maxItems: 5000 })),
        firstShare: amount,
        countShare: amount,
        records: amount,
        raw: Type.Optional(Type.Boolean()),
        format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('parquet')])),
        as,
      },
      closed,
    ),
  },
  closed,
)
/** The options of `reticent release tree`. */
const TreeJob = Type.Object(
  {
    kind: Type.Literal('tree'),
    options: Type.Object(
      {
        of: Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 2 }),
        epsilon: Amount,
        fanOut: Type.Optional(Type.Integer({ minimum: 2, maximum: 4096 })),
        as,
      },
      closed,
    ),
  },
  closed,
)
/** The options of `reticent synth`. */
const SynthJob = Type.Object(
  {
    kind: Type.Literal('synth'),
    options: Type.Object(
      {
        epsilon: amount,
        free: Type.Optional(Type.Boolean()),
        method: Type.Optional(oneOf('pairs', 'mwem', 'factored', 'maxent', 'independent', 'mixture')),
        queries: Type.Optional(
          Type.Union([
            Type.String({ maxLength: 100 }),
            Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 1000 }),
          ]),
        ),
        rounds: amount,
        startShare: amount,
        fitting: text(),
        output: text(),
        ways: amount,
        marginals: text(),
        priorShare: amount,
        rows: amount,
        sampling: text(),
        check: amount,
        countShare: amount,
        records: amount,
        format: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('parquet')])),
        as,
      },
      closed,
    ),
  },
  closed,
)
export const JobRequest = Type.Union([MarginalsJob, TreeJob, SynthJob])
export type JobRequest = Static<typeof JobRequest>

export const JobPlan = fromLibrary<MarginalsPlan | TreePlan | SynthesisPlan | FreeSynthPlan>(
  'What it would cost and how noisy it would be, as --plan --json prints it.',
)
export type JobPlan = Static<typeof JobPlan>

const JobFile = Type.Object({ name: Type.String(), bytes: Type.Number() })
export type JobFile = Static<typeof JobFile>

export const Job = Type.Object({
  id: Type.String(),
  kind: Type.Union([Type.Literal('marginals'), Type.Literal('tree'), Type.Literal('synth')]),
  options: Type.Unsafe<{ readonly [name: string]: unknown }>({ type: 'object' }),
  analyst: Type.Union([Type.String(), Type.Null()]),
  state: oneOf('waiting', 'running', 'done', 'failed', 'cancelled'),
  share: Type.Number({ description: 'The share of the work that is done, from 0 to 1.' }),
  doing: Type.Union([Type.String(), Type.Null()]),
  created: Type.String(),
  ended: Type.Union([Type.String(), Type.Null()]),
  cost: Type.Union([Cost, Type.Null()], { description: 'What it has spent, once it has ended.' }),
  error: Type.Optional(Failure.properties.error),
  files: Type.Array(JobFile),
  summary: Type.Optional(Type.Unsafe<{ readonly [name: string]: unknown }>({ type: 'object' })),
})
export type Job = Static<typeof Job>

const JobTable = Type.Object({
  attributes: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String(),
      labels: Type.Array(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
  counts: Type.Array(Type.Number(), { description: 'The last attribute runs fastest.' }),
  within: Type.Union([Type.Number(), Type.Null()], {
    description: 'The half-width of the 95% interval around each count; null for a table of synthetic records.',
  }),
})
export type JobTable = Static<typeof JobTable>

export const JobTables = Type.Object({
  tables: Type.Array(JobTable),
  more: Type.Number({ description: 'Tables left out.' }),
})
export type JobTables = Static<typeof JobTables>
