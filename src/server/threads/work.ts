import { type AskOptions, exportLedger, type ImproveOptions, verifyLedger } from '../../index.ts'
import { curveOf } from '../datasets/curve.ts'
import { findingsOf } from '../datasets/findings.ts'
import { planJob, runJob } from '../jobs/work.ts'
import type { Surroundings } from './surroundings.ts'

/** A question, and the ledger's head when it came: whoever has read up to there need not look again. */
type FreeQuestion = AskOptions & { readonly sql: string; readonly receipt?: string }

/** Everything that may take long and must not keep others waiting, by name. */
export const work = {
  ask: ({ sql, ...options }: AskOptions & { readonly sql: string }, { data, signal }: Surroundings) =>
    data.ask(sql, { ...options, signal }),
  askFree: ({ sql, receipt, ...options }: FreeQuestion, { data, signal }: Surroundings) =>
    data.askFree(sql, { ...options, signal }, receipt),
  plan: ({ sql, ...options }: AskOptions & { readonly sql: string }, { data, signal }: Surroundings) =>
    data.plan(sql, { ...options, signal }),
  curve: curveOf,
  improve: (asked: ImproveOptions, { data, signal }: Surroundings) => data.improve({ ...asked, signal }),
  askModel: ({ sql, model }: { sql: string; model: string }, { data, signal }: Surroundings) =>
    data.askModel(sql, { model, signal }),
  spendingByAttribute: (_: null, { data }: Surroundings) => data.spendingByAttribute(),
  planJob,
  runJob,
  verifyLedger: ({ receipt }: { receipt?: string }, { data }: Surroundings) => verifyLedger(data.policy.file, receipt),
  exportLedger: (_: null, { data }: Surroundings) => exportLedger(data.policy.file),
  findings: (_: null, { data }: Surroundings) => findingsOf(data.policy.file),
} satisfies { readonly [name: string]: (given: never, surroundings: Surroundings) => Promise<unknown> }

export type Work = typeof work
export type WorkName = keyof Work
