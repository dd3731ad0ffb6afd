import { type LedgerPlace, ReticentError, usage } from '../../schema/index.ts'
import { genesis, linkRow, readChain, verifyChain } from './chain.ts'
import { arrival, closed, closing, elsewhere, hasArrived, movedTo } from './closing.ts'
import type { Contents, LastRows } from './contents.ts'
import { corrupt } from './damage.ts'
import type { Head, StoredRow } from './ledger.ts'
import type { MovableLedger } from './movable.ts'
import { type OwnerOptions, openLedger } from './place.ts'
import { placeName } from './postgres/connection.ts'
import { makePostgresLedger } from './postgres/create.ts'
import { movablePostgresLedger } from './postgres/movable.ts'
import { containsHead } from './receipt.ts'
import { forgetDrafts, makeSqliteLedger } from './sqlite/create.ts'
import { movableSqliteLedger } from './sqlite/movable.ts'
import { verifyRows } from './structure.ts'

interface MoveOptions extends OwnerOptions {
  /** Sees the rows before anything is done; throws where they should not be moved. */
  readonly check: (rows: readonly StoredRow[]) => void
  readonly clock?: () => Date
}

/** What was moved. */
interface MovedLedger {
  readonly to: string
  readonly rows: number
  readonly head: Head
  /** Nothing was left to do. */
  readonly already: boolean
}

/**
 * Moves a ledger with all its rows, hashes and its key, so that receipts hold. The new one is prepared, but appears
 * only after the old one is durably closed and its last rows are copied, so that two are never usable at once. If the
 * move is interrupted between the two, neither is usable; running the same move again makes the new one appear. Once it
 * has appeared the old one says so: the same move on another machine, where that name leads elsewhere, makes no second one.
 * Between the two the old one is held, so that no other machine looks at it in that moment.
 */
export async function moveLedger(from: LedgerPlace, to: LedgerPlace, options: MoveOptions): Promise<MovedLedger> {
  const name = nameOf(to)
  if (nameOf(from) === name) throw usage('the ledger is already there')
  const source = await movable(from)
  try {
    let found = await source.contents()
    if (found.rows.some((row) => movedTo(row) !== undefined)) {
      // Somebody else may be about to finish the move. Only when nobody is does it say how far it has come.
      await source.hold()
      found = await source.contents()
    }
    let end = found.rows.at(-1)
    const place = end && movedTo(end)
    if (place !== undefined && place !== name) throw closed(place)
    const contents = { ...found, rows: found.rows.filter((row) => movedTo(row) === undefined) }
    const rows = sound(contents)
    let head: Head = rows.at(-1)!
    const now = () => (options.clock ?? systemClock)().toISOString()
    const tellArrival = async () => {
      // Where it cannot be told, the move has succeeded all the same.
      if (!hasArrived(end!)) await source.finish(end!, (last) => linkRow(last, now(), arrival(name))).catch(() => {})
    }
    const moved = (already: boolean) => ({
      to: name,
      rows: head.seq,
      head: { seq: head.seq, hash: head.hash },
      already,
    })
    if (place !== undefined && to.kind === 'sqlite') forgetDrafts(to.path)
    if (place !== undefined && (await continues(to, head))) {
      await tellArrival()
      return moved(true)
    }
    if (place !== undefined && hasArrived(end!)) throw elsewhere(place)
    options.check(rows)
    const finish: LastRows = async () => {
      const later = await source.finish(head, (last) => {
        end = linkRow(last, now(), closing(name))
        return end
      })
      head = verifyChain(later, head)
      return later
    }
    await make(to, contents, { owner: options.owner, lastRows: place === undefined ? finish : undefined }).catch(
      (error) => {
        if (!isOccupied(error)) throw error
        throw end && movedTo(end) !== undefined ? inTheWay(name) : occupied(name)
      },
    )
    await tellArrival()
    return moved(false)
  } finally {
    await source.close()
  }
}

const isOccupied = (error: unknown) => error instanceof ReticentError && error.code === 'ledger-exists'

const occupied = (name: string) =>
  new ReticentError(
    'ledger-exists',
    { path: name },
    {
      message: 'there is already a ledger at the new place, or the remains of one; nothing was moved',
      detail: name,
      hint: 'Choose another file, or another --schema. A ledger that was moved away stays where it was, closed, and is never overwritten.',
    },
  )

/** The old one is closed: it can only go there. */
const inTheWay = (name: string) =>
  new ReticentError(
    'ledger-exists',
    { path: name },
    {
      message: 'the old ledger is closed already, and something else has taken the new place',
      detail: name,
      hint: 'Put what is there somewhere else, then run the same `reticent ledger move` again: it finishes the move.',
    },
  )

const systemClock = () => new Date()

const movable = (from: LedgerPlace): Promise<MovableLedger> =>
  from.kind === 'sqlite' ? movableSqliteLedger(from.path) : movablePostgresLedger(from)

const make = (
  to: LedgerPlace,
  contents: Contents,
  { owner, lastRows }: OwnerOptions & { readonly lastRows?: LastRows },
) =>
  to.kind === 'sqlite'
    ? makeSqliteLedger(to.path, contents, { lastRows })
    : makePostgresLedger(to, contents, { owner, lastRows })

/** Throws unless all of it is in order. A damaged ledger is not copied: the damage would seem to be caused by the move. */
function sound({ rows }: Contents): StoredRow[] {
  const stored = readChain(rows, genesis)
  if (stored.length === 0) throw corrupt('it has no rows')
  const [fault] = verifyRows(stored)
  if (fault) throw corrupt(`row ${fault.seq}: ${fault.fault}`, { row: fault.seq })
  return stored
}

/** Whether there is a ledger that has come at least as far. */
async function continues(to: LedgerPlace, head: Head): Promise<boolean> {
  const ledger = await openLedger(to).catch((error) => {
    if (error instanceof ReticentError && error.code === 'ledger-missing') return undefined
    throw error
  })
  if (!ledger) return false
  try {
    return await containsHead(ledger, head)
  } finally {
    await ledger.close()
  }
}

const nameOf = (place: LedgerPlace): string => (place.kind === 'sqlite' ? place.path : placeName(place))
