import { type Cost, costOf, readGuards } from '../answer/index.ts'
import { compare, equals, parseRational, type Rational, toNumber } from '../numeric/index.ts'
import { canonicalJson } from '../query/index.ts'
import { attributesToJson, loadPolicy, type Policy, ReticentError, stopIfAborted, usage } from '../schema/index.ts'
import { fits, zeroSpending } from '../trusted/accounting/index.ts'
import { type Engine, openEngine } from '../trusted/engine/index.ts'
import {
  Book,
  checkSeen,
  containsHead,
  containsReceipt,
  createLedger,
  exportRows,
  formatReceipt,
  headFileOf,
  isLedgerMissing,
  keepSeen,
  type Ledger,
  type OwnerOptions,
  openLedger,
  type Row,
  readSeen,
  rehearseLedger,
} from '../trusted/ledger/index.ts'
import { checkSource, noteSource } from '../trusted/meter/index.ts'
import { secretBytes, systemBits } from '../trusted/random/index.ts'
import { refuseReviewMarks, requireAgreement, requireTerms } from './agreement.ts'

/** Makes the ledger that a policy names, once: from then on every answer is charged to it. Returns its first receipt. */
export async function createLedgerFor(
  policyFile: string,
  signal?: AbortSignal,
  options: OwnerOptions = {},
): Promise<string> {
  const policy = await loadPolicy(policyFile)
  await requireCreatable(policy, options)
  const key = secretBytes(32)
  const { analysts: _, ...privacy } = policy.privacy
  const source = await fingerprintOf(policy, key, signal)
  const row = {
    kind: 'create',
    format: 1,
    dataset: policy.dataset,
    privacy,
    attributes: policy.universe.attributes,
    fingerprint: source.fingerprint,
  } as const
  stopIfAborted(signal, 'No ledger was made.')
  const ledger = await createLedger(policy.ledger, row, key, options)
  try {
    const book = await Book.open(ledger)
    await noteSource(ledger, source.fingerprint, source)
    await keepSeen(headFileOf(policy.file), ledger, book)
    return formatReceipt(book.head)
  } finally {
    await ledger.close()
  }
}

/** Throws where `createLedgerFor` would, without reading the source: where there is a ledger, or none can be made. */
export async function checkNewLedger(policyFile: string, options: OwnerOptions = {}): Promise<void> {
  await requireCreatable(await loadPolicy(policyFile), options)
}

async function requireCreatable(policy: Policy, options: OwnerOptions): Promise<void> {
  refuseReviewMarks(policy)
  await refuseStartingOver(policy)
  await rehearseLedger(policy.ledger, options)
}

/** Accepts that the data or the attributes have changed. What was spent stays spent; old answers are no longer used. */
export async function beginEpoch(policyFile: string, signal?: AbortSignal): Promise<string> {
  const policy = await loadPolicy(policyFile)
  let source: Promise<{ fingerprint: string }> | undefined
  return changing(policy, async (ledger, book) => {
    requireTerms(policy, book)
    // Once, however often the ledger moves meanwhile: whoever asks could otherwise keep the owner reading for ever.
    source ??= fingerprintOf(policy, await ledger.secret(), signal)
    const { fingerprint } = await source
    const { attributes } = policy.universe
    const same =
      canonicalJson(attributesToJson(attributes)) === canonicalJson(attributesToJson(book.universe.attributes))
    if (same && fingerprint === book.fingerprint)
      throw usage(
        'neither the data nor the attributes have changed, so no new epoch is needed',
        'A new epoch has a cost: what was spent before it is added to what is spent in it.',
      )
    stopIfAborted(signal, 'No new epoch was begun.')
    return { kind: 'epoch', attributes, fingerprint } as const
  })
}

/** Changes the cap, δ included, to the one that the policy already states. */
export async function changeCap(policyFile: string, epsilon: string): Promise<{ cap: Cost; receipt: string }> {
  const policy = await loadPolicy(policyFile)
  const wanted = parseRational(epsilon)
  if (!wanted || wanted.num <= 0n) throw usage(`the cap must be a number above 0, not ${JSON.stringify(epsilon)}`)
  if (!equals(wanted, policy.privacy.epsilon)) {
    throw usage(
      `the policy says epsilon: ${toNumber(policy.privacy.epsilon)}, not ${toNumber(wanted)}`,
      'Change the policy first, so that everybody can read the promise.',
    )
  }
  const receipt = await changing(policy, async (_, book) => {
    requireTerms(policy, book)
    requireComparable(book, wanted, policy.privacy.delta)
    const cap = book.capOf(wanted, policy.privacy.delta)
    const spent = book.spent(undefined, cap)
    if (!fits(spent, cap)) throw spentAlready(book, cap.rho === null && spent.epsilon === Number.POSITIVE_INFINITY)
    return { kind: 'cap', epsilon: wanted, delta: policy.privacy.delta } as const
  })
  return { cap: { epsilon: toNumber(wanted), delta: toNumber(policy.privacy.delta) }, receipt }
}

/**
 * Refuses a promise that is stronger than an earlier one in ε and weaker in δ, or the other way round, once anything
 * was sold: an owner who may choose between two such promises after seeing answers keeps neither.
 * docs/algorithms/two-currencies.md
 */
function requireComparable({ promises }: Book, epsilon: Rational, delta: Rational): void {
  const clash = promises.find((old) => compare(epsilon, old.epsilon) * compare(delta, old.delta) < 0)
  if (!clash) return
  throw usage(
    `ε = ${toNumber(epsilon)} with δ = ${toNumber(delta)} is neither stronger nor weaker than the earlier promise of ε = ${toNumber(clash.epsilon)} with δ = ${toNumber(clash.delta)}`,
    'Once answers have been given, raise both or lower both: an owner who could choose between two incomparable promises after seeing answers would keep neither.',
  )
}

const spentAlready = (book: Book, isGaussian: boolean) =>
  usage(
    isGaussian
      ? 'Gaussian noise was bought, which plain ε cannot account for: the policy needs its delta'
      : `${costOf(book.spent(), book).epsilon} is already spent`,
    'A cap cannot take back what was released.',
  )

/** What `ledger verify` found. */
export interface Verdict {
  /** The sums are within the cap, and the ledger continues those that it should. */
  readonly ok: boolean
  readonly rows: number
  /** overspent: some record was charged more than the cap. undecided: the bound is above the cap, and no such record was found. */
  readonly sums: 'kept' | 'overspent' | 'undecided'
  readonly cap: number
  /** No record has paid more than this. */
  readonly bound: number
  /** Some record has certainly been charged this. */
  readonly exhibited: number
  /** The part of the bound charged for rows that were lost when an older copy was restored; undefined if none were. */
  readonly lost?: number
  /** Whether it continues the ledger last used with this policy; undefined if none is on record. */
  readonly continuesLastSeen?: boolean
  /** Whether the ledger continues the one that gave the receipt; undefined when none was shown. */
  readonly continues?: boolean
  readonly receipt: string
}

/** Reads the whole ledger again: its chain, its structure and its sums, and whether it continues the one last used here. */
export async function verifyLedger(policyFile: string, receipt?: string): Promise<Verdict> {
  const policy = await loadPolicy(policyFile)
  return opened(policy, async (ledger, book) => {
    const continues = receipt === undefined ? undefined : await containsReceipt(ledger, receipt)
    const seen = readSeen(headFileOf(policy.file))
    const continuesLastSeen = seen && (await containsHead(ledger, seen))
    const { cap } = book
    // Search as long as it takes to bring the bound within the cap, so that a valid ledger is not doubted for lack of
    // effort.
    const bound = book.spentWith([], cap)
    const exhibited = book.exhibited()
    const sums = fits(bound, cap) ? 'kept' : fits(exhibited, cap) ? 'undecided' : 'overspent'
    return {
      ok: sums === 'kept' && continues !== false && continuesLastSeen !== false,
      rows: book.head.seq,
      sums,
      cap: toNumber(book.terms.epsilon),
      bound: Math.min(costOf(bound, book).epsilon, costOf(book.spent(), book).epsilon),
      exhibited: costOf(exhibited, book).epsilon,
      ...(book.lost === zeroSpending ? {} : { lost: costOf(book.lost, book).epsilon }),
      ...(continuesLastSeen === undefined ? {} : { continuesLastSeen }),
      ...(continues === undefined ? {} : { continues }),
      receipt: formatReceipt(book.head),
    }
  })
}

/** Throws if the policy has a guard that cannot be kept. */
export async function checkGuards(policyFile: string): Promise<void> {
  await readGuards(await loadPolicy(policyFile), () => systemBits.uint32() / 2 ** 32)
}

/** Throws unless the ledger matches the policy and the whole content of the source. */
export async function checkLedger(policyFile: string, signal?: AbortSignal): Promise<void> {
  const policy = await loadPolicy(policyFile)
  await reading(policy, async (ledger, book) => {
    requireAgreement(policy, book)
    const key = await ledger.secret()
    await fromSource(policy, key, (engine) => checkSource(engine, ledger, book.fingerprint, 'full'), signal)
  })
}

/** The ledger's rows as JSON lines; without its secret. */
export async function exportLedger(policyFile: string): Promise<string[]> {
  return reading(await loadPolicy(policyFile), async (ledger) => exportRows(await ledger.read(0)))
}

/** If the ledger is missing, budget was spent from it: a new one in its place would restart the budget. */
async function refuseStartingOver({ file, ledger }: Policy): Promise<void> {
  const seen = headFileOf(file)
  if (readSeen(seen) === undefined || !(await isLedgerMissing(ledger))) return
  throw new ReticentError(
    'ledger-rolled-back',
    { seen },
    {
      message: 'the ledger that was used with this policy is gone',
      detail: `its last receipt is in ${seen}`,
      hint: 'Restore it. A new ledger would forget what was spent, and the promise would no longer hold. To start over all the same, delete the head file.',
    },
  )
}

/** The full fingerprint of the source, and its quick fingerprint at that time. */
function fingerprintOf(
  policy: Policy,
  key: Uint8Array,
  signal?: AbortSignal,
): Promise<{ fingerprint: string; quick: string }> {
  refuseReviewMarks(policy)
  const fingerprints = async (engine: Engine) => {
    const snapshot = await engine.snapshot()
    return { fingerprint: await snapshot.full(), quick: snapshot.quick }
  }
  return fromSource(policy, key, fingerprints, signal)
}

/** Reads the source. Aborted, it has a server stop reading. */
async function fromSource<T>(
  policy: Policy,
  key: Uint8Array,
  work: (engine: Engine) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const engine = await openEngine({ ...policy, unit: policy.privacy.unit, key })
  const stop = () => void engine.close()
  signal?.addEventListener('abort', stop)
  try {
    stopIfAborted(signal)
    return await work(engine)
  } catch (error) {
    stopIfAborted(signal, 'Nothing was written.')
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    await engine.close()
  }
}

/** Opens any ledger, even one that was restored from a backup. */
export async function opened<T>(policy: Policy, work: (ledger: Ledger, book: Book) => Promise<T>): Promise<T> {
  const ledger = await openLedger(policy.ledger)
  try {
    // A promise is kept when either currency keeps it; the policy's composition only says what is sold.
    return await work(ledger, await Book.open(ledger, 'zcdp'))
  } finally {
    await ledger.close()
  }
}

/** Only a ledger that continues the one last used here. */
const reading = <T>(policy: Policy, work: (ledger: Ledger, book: Book) => Promise<T>): Promise<T> =>
  opened(policy, async (ledger, book) => {
    await checkSeen(ledger, readSeen(headFileOf(policy.file)))
    return work(ledger, book)
  })

/** Appends one row that the owner decided on from the ledger as it stands; if it moves meanwhile, decides again. */
const changing = (policy: Policy, decide: (ledger: Ledger, book: Book) => Promise<Row>): Promise<string> =>
  reading(policy, async (ledger, book) => {
    while (!(await ledger.append(await decide(ledger, book), book.head))) await book.follow()
    await book.follow()
    await keepSeen(headFileOf(policy.file), ledger, book)
    return formatReceipt(book.head)
  })
