import { canonicalJson, lawToJson, type NoiseLaw, queryToJson } from '../../query/index.ts'
import { type AnswerCharge, isAnswer } from '../../trusted/accounting/index.ts'
import { type Book, measurementId } from '../../trusted/ledger/index.ts'
import type { Evidence } from './evidence.ts'

/** Something released, or about to be. */
interface Entry {
  readonly charge: AnswerCharge
  /** The measurement that it takes the place of. */
  readonly refines: string | null
}

/** What a purchase is judged on: what may have been seen, and the same with the purchase. */
export interface Judged {
  readonly before: Evidence
  readonly after: Evidence
  /**
   * What a guard that began at this row could not prevent: what was sold before it. If others' runs count as if they had
   * revealed all they may, also that, and what was sold before the first of them was opened.
   */
  readonly excuse: (since: number) => Evidence
}

/** Evidence, and what it was made of. */
interface Kept {
  readonly entries: ReadonlyMap<string, AnswerCharge>
  readonly evidence: Evidence
}

/**
 * Everything that may have been seen. Kept between purchases; what is new is appended.
 */
export class SeenAnswers {
  readonly #book: Book
  /** What there is before anything has been seen. */
  readonly #none: Evidence
  #epoch = 0
  #all: Kept | undefined
  /** Without an open run's own answers, by the run's number. */
  readonly #runs = new Map<number, Kept>()
  #shown: Kept | undefined
  /** What excuses purchases, by what it is made of. */
  readonly #excuses = new Map<string, Kept>()
  #tries = 0

  constructor(book: Book, none: Evidence) {
    this.#book = book
    this.#none = none
  }

  /**
   * Everything that counts now except an open run's own answers, without and with these charges. Twice if others' runs are
   * open: as if they had revealed all they may, and as if nothing, so that they do not excuse what comes after them.
   */
  judged(charges: readonly AnswerCharge[], run?: number): Judged[] {
    if (this.#epoch !== this.#book.epochs) {
      this.#all = undefined
      this.#shown = undefined
      this.#runs.clear()
      this.#excuses.clear()
      this.#epoch = this.#book.epochs
    }
    const kept = this.#grown(
      entriesOf(this.#book, { but: run }),
      run === undefined ? this.#all : (this.#runs.get(run) ?? this.#all),
    )
    if (run === undefined) this.#all = kept
    else this.#runs.set(run, kept)
    const shown = (since: number) => this.#excuse({ but: run, before: since, shown: true })
    const first = firstOpenRun(this.#book, run)
    if (first === undefined) return [{ ...this.#with(charges, kept), excuse: shown }]
    const reached = (since: number) => this.#excuse({ but: run, before: Math.max(since, first) })
    this.#shown = this.#grown(entriesOf(this.#book, { but: run, shown: true }), this.#shown)
    return [
      { ...this.#with(charges, kept), excuse: reached },
      { ...this.#with(charges, this.#shown), excuse: shown },
    ]
  }

  #excuse(some: Some): Evidence {
    const key = JSON.stringify(some)
    const kept = this.#grown(entriesOf(this.#book, some), this.#excuses.get(key))
    this.#excuses.set(key, kept)
    return kept.evidence
  }

  /** A run has ended, or will not be asked about again. */
  forget(run: number): void {
    this.#runs.delete(run)
    for (const key of this.#excuses.keys()) if (JSON.parse(key).but === run) this.#excuses.delete(key)
  }

  /** With the charges, and without the answers that they refine: of equal ones any, since no value matters. */
  #with(charges: readonly AnswerCharge[], { evidence: before, entries }: Kept): Omit<Judged, 'excuse'> {
    const after = before.fork()
    const left = new Map(entries)
    for (const charge of charges) {
      const parent =
        charge.kind === 'refinement' &&
        left.entries().find(([, of]) => textOf(of) === textOf({ ...charge, law: charge.paid }))
      if (parent) left.delete(parent[0])
      after.append(`try ${this.#tries++}`, charge, parent ? parent[0] : null, 'try')
    }
    return { before, after }
  }

  /** What the charges tell by themselves. */
  alone(charges: readonly AnswerCharge[]): Evidence {
    const evidence = this.#none.fork()
    for (const [i, charge] of charges.entries()) evidence.append(String(i), charge, null)
    return evidence
  }

  /** What was kept, plus what is new; rebuilt if something is gone, as after a run has closed. */
  #grown(entries: readonly (readonly [string, Entry])[], from: Kept | undefined): Kept {
    const now = new Map(entries)
    const refined = new Set(entries.map(([, { refines }]) => refines))
    const isThere = ([id, charge]: [string, AnswerCharge]) => now.get(id)?.charge === charge || refined.has(id)
    const kept = from && [...from.entries].every(isThere) ? from : undefined
    const fresh = entries.filter(([id]) => !kept?.entries.has(id))
    if (kept && fresh.length === 0) return kept
    const evidence = (kept?.evidence ?? this.#none).fork()
    for (const [id, { charge, refines }] of fresh) {
      const parent = refines !== null && kept?.entries.has(refines) ? refines : null
      evidence.append(id, charge, parent)
    }
    evidence.settle()
    return { evidence, entries: new Map(entries.map(([id, { charge }]) => [id, charge])) }
  }
}

/**
 * Everything that may have been seen, by the id it has or will have. A reservation without a record may be recorded
 * any moment, and somebody else's open run may have lowered its noise as far as it can pay for: both count as if they had.
 * So a run need not watch what others buy meanwhile: they have counted the run at its most precise.
 */
function entriesOf(book: Book, { but, before = Number.POSITIVE_INFINITY, shown = false }: Some): [string, Entry][] {
  const all = new Map<string, Entry>()
  for (const { seq, kind, state, charges, reach, refines } of book.releases) {
    const isOpenRun = kind === 'run-open' && state === 'open'
    if (state === 'void' || seq === but || (isOpenRun ? shown : seq >= before)) continue
    // Given its refinement, an answer says nothing more.
    if (refines !== null) all.delete(refines)
    for (const [i, charge] of (isOpenRun ? reach() : charges).entries())
      if (isAnswer(charge)) all.set(measurementId(seq, i), { charge, refines })
  }
  return [...all]
}

/** Which of them: all but a run's own, those of purchases before a row, those that open runs have not yet to show. */
interface Some {
  readonly but?: number | undefined
  readonly before?: number
  readonly shown?: boolean
}

/** The first run that is open, but for this one. */
const firstOpenRun = (book: Book, but: number | undefined): number | undefined =>
  book.releases.find(({ seq, kind, state }) => kind === 'run-open' && state === 'open' && seq !== but)?.seq

const textOf = ({ query, law }: { query: AnswerCharge['query']; law: NoiseLaw }): string =>
  canonicalJson([queryToJson(query), lawToJson(law)])
