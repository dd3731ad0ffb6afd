import type { Rational } from '../../../numeric/index.ts'
import { addSpending, type Cap, runHold, type Spending, unitsToRational, zeroSpending } from '../../accounting/index.ts'
import type { Book } from '../book.ts'
import type { Ledger } from '../ledger.ts'
import { containsHead } from '../receipt.ts'
import type { Restore } from '../rows/row.ts'
import type { Mark, Seen } from './head-file.ts'

/**
 * The row that charges for what this ledger, an older copy, lacks of the one last seen: at least what any record paid for
 * it. That is no more than the bound on all that was ever spent, and no more than the prices of what was bought after
 * the newest head that both ledgers have. Where neither was kept it is taken to be all that the caps allowed. To that
 * comes what the copy's own refinements lack, should the lost rows have refined the same answers. Proof: docs/ledger.md,
 * "What a restored copy is charged".
 */
export async function lossOf(
  seen: Seen,
  { ledger, book }: { readonly ledger: Ledger; readonly book: Book },
  caps: readonly Cap[],
): Promise<Restore> {
  const common = await newestCommon(seen, ledger)
  const bounds = [seen.spent, common?.billed].filter((bound) => bound !== undefined)
  const lost = bounds.length > 0 ? least(bounds) : allOf(caps)
  const { epsilon, rho } = addSpending(lost, book.forksAfter(common?.seq ?? 0))
  return {
    kind: 'restore',
    lost: { seq: seen.seq, hash: seen.hash },
    epsilon: fromUnits(epsilon),
    rho: fromUnits(rho),
  }
}

/** The newest head that both have, and what was paid for after it; undefined where no such head is known. */
async function newestCommon({ marks }: Seen, ledger: Ledger): Promise<Mark | undefined> {
  let billed = zeroSpending
  for (const mark of marks) {
    billed = addSpending(billed, mark.billed)
    if (await containsHead(ledger, mark)) return { ...mark, billed }
  }
  return undefined
}

function least(bounds: readonly NonNullable<Seen['spent']>[]): Spending {
  const epsilon = Math.min(...bounds.map((bound) => bound.epsilon))
  return { epsilon, rho: Math.min(rhoOf(epsilon), ...bounds.map(({ rho }) => rho ?? Number.POSITIVE_INFINITY)) }
}

/** A cap is kept by either currency. What only ρ kept has no bound in ε; what ε kept is at most ε²/2 in ρ. */
function allOf(caps: readonly Cap[]): Spending {
  const epsilon = Math.max(...caps.map((cap) => cap.epsilon))
  const rho = Math.max(rhoOf(epsilon), ...caps.map((cap) => cap.rho ?? 0))
  return { epsilon: caps.some((cap) => cap.rho !== null) ? Number.POSITIVE_INFINITY : epsilon, rho }
}

/** As any ε-private release: ε²/2. */
function rhoOf(units: number): number {
  const epsilon = fromUnits(units)
  return epsilon ? runHold({ epsilon }).rho : Number.POSITIVE_INFINITY
}

const fromUnits = (units: number): Rational | null => (Number.isFinite(units) ? unitsToRational(units) : null)
