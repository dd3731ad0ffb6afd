import type { Session } from '../../answer/index.ts'
import { countAll, marginal } from '../../query/index.ts'
import { floorFor, stoppingPoint, undetermined } from '../../release/index.ts'
import { isPublic, zeroSpending } from '../../trusted/accounting/index.ts'
import { byQuery, currentMeasurements } from '../history/measurements.ts'
import { type PaidSession, sayingWhatWasPaid } from '../paid.ts'
import type { TablesRequest } from './options.ts'
import { isShared, termsOf } from './pricing.ts'
import { buyMarginals } from './purchase.ts'
import { recordsFor } from './records.ts'
import { type MarginalsRelease, type TablesSource, tablesFrom } from './tables.ts'

/** Buys the marginals, or takes them from the history; makes them agree, and says how good they are. */
export function releaseMarginals(request: TablesRequest, session: PaidSession): Promise<MarginalsRelease> {
  const costly = request.marginals.filter((attributes) => !isShared(attributes, session.book))
  return sayingWhatWasPaid(session, { queries: costly.map(marginal), seeFree }, async () => {
    const source = await sourceOf(request, costly, session)
    await stoppingPoint(session.signal)
    const release = tablesFrom(source, request, session)
    await stoppingPoint(session.signal)
    session.progress?.(1)
    return release
  })
}

/** Of tables that were all measured, and of those of which some are missing. */
const seeFree = (share: number): string =>
  share === 1
    ? 'Write the tables at no cost: release them again with --free instead of --epsilon.'
    : 'Some tables were measured: list them with --of, and --free instead of --epsilon, to write them at no cost.'

async function sourceOf(
  request: TablesRequest,
  costly: TablesRequest['marginals'],
  session: Session,
): Promise<TablesSource> {
  const { purchase } = request
  if (!purchase) return fromHistory(request, session)
  const records = await recordsFor(purchase, session)
  return costly.length === 0
    ? fromHistory(request, session)
    : buyMarginals({ ...purchase, marginals: costly, records }, session)
}

/** The history alone, at no cost: the data are not opened. */
function fromHistory({ floor }: TablesRequest, { book, knowledge }: Session): TablesSource {
  const known = knowledge.about(countAll)?.[0]
  if (!known) throw undetermined([])
  const count = Math.max(1, Math.round(known.estimate))
  return {
    method: null,
    before: book.spent(),
    paid: zeroSpending,
    own: byQuery(currentMeasurements(book)),
    records: { count, from: isPublic(countAll, termsOf(book)) ? 'public' : 'history' },
    floor: floorFor(floor, count),
    heldBack: [],
  }
}
