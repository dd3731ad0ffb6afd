import { costOf, leftFor, leftToAsk, raisedBy } from '../../answer/index.ts'
import { toNumber } from '../../numeric/index.ts'
import {
  type CheckedTable,
  checkRows,
  type SynthBudget,
  type SyntheticTable,
  stoppingPoint,
  synthMethodNamed,
} from '../../release/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { formatReceipt } from '../../trusted/ledger/index.ts'
import { isAffordable, tooExpensive } from '../marginals/pricing.ts'
import type { Costing } from '../marginals/tables.ts'
import { onBehalfOf } from '../on-behalf.ts'
import { type PaidSession, paidIn, sayingWhatWasPaid } from '../paid.ts'
import { manyValues } from './many-values.ts'
import type { SynthesisRequest } from './options.ts'
import { planned, setUp } from './setup.ts'

/** A synthetic table that was bought. */
export interface SynthRelease extends Costing, SyntheticTable {
  readonly spent: Costing['cost']
}

/** Where measuring and fitting end, and rows are drawn and checked. */
const shareOfMaking = 0.9

/** Buys what a model is fitted to, draws rows from it and, where that was asked for, buys a score of them. */
export const synthesize = (asked: SynthesisRequest, session: PaidSession): Promise<SynthRelease> =>
  sayingWhatWasPaid(session, { seeFree: () => seeFree }, () => bought(asked, session))

const seeFree = 'The next synthetic table will use what was measured, at no cost.'

async function bought(asked: SynthesisRequest, session: PaidSession): Promise<SynthRelease> {
  const { book, quota, signal, random } = session
  const setup = await setUp(asked, session)
  if (!isAffordable(setup.held, session))
    throw tooExpensive(costOf(setup.held, book).epsilon, leftToAsk(book, quota).epsilon)
  planned(asked, setup, session)
  const before = book.spent()
  const progress = (share: number, doing: string) => asked.progress?.({ share, doing })
  const context = {
    ...setup.terms,
    meter: onBehalfOf(await session.meter(), quota),
    random,
    progress: ({ share, doing }: { share: number; doing: string }) => progress(shareOfMaking * share, doing),
    signal,
  }
  const made = await synthMethodNamed(asked.method).method.make(setup.request, context)
  const { model, steps, receipts, rehearsal, fit } = made
  await stoppingPoint(signal)
  progress(shareOfMaking, 'rows')
  const rows = model.rows(asked.rows ?? Math.max(1, Math.round(model.records)), random, asked.sampling)
  const checked = setup.check && (await unlessRefused(() => checkRows(rows, model.records, setup.check!, context)))
  progress(1, 'done')
  return {
    dataset: book.dataset,
    method: asked.method,
    parameters: { ...asked.parameters, ...fit?.parameters },
    neighbours: book.terms.neighbours,
    records: { count: model.records, from: setup.records.kind === 'known' ? setup.records.from : 'bought' },
    model,
    ...(rehearsal && { rehearsal }),
    rows,
    random,
    budget: inNumbers(setup.request.budget),
    steps,
    measured: receipts.flatMap(({ measurements }) => measurements),
    known: setup.request.history,
    ...(checked?.check && { check: checked.check }),
    warnings: [
      ...manyValues(book.universe.attributes, model.records),
      ...(fit?.warnings ?? []),
      ...(checked?.warning ? [checked.warning] : []),
    ],
    cost: costOf(paidIn(session), book),
    raised: raisedBy(before, book.spent(), book),
    spent: costOf(book.spent(), book),
    left: leftFor(book),
    receipt: formatReceipt(book.head),
  }
}

const inNumbers = ({ rho, epsilon }: SynthBudget): SyntheticTable['budget'] =>
  rho ? { rho: toNumber(rho) } : { epsilon: toNumber(epsilon) }

/** The table is there and paid for: it is not given up because nobody may say how good it is. */
async function unlessRefused(
  work: () => Promise<{ readonly check: CheckedTable }>,
): Promise<{ readonly check?: CheckedTable; readonly warning?: string }> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ReticentError) || error.code === 'interrupted') throw error
    return { warning: `The table was not checked: ${error.message}.` }
  }
}
