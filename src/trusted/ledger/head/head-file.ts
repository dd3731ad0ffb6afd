import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { ReticentError } from '../../../schema/index.ts'
import type { Spending } from '../../accounting/index.ts'
import type { Head } from '../ledger.ts'
import { formatReceipt, parseReceipt } from '../receipt.ts'

/** The head of the ledger last used with a policy, and what must be known should the rows up to it be lost. */
export interface Seen extends Head {
  /** No record had paid more up to there; ρ is null where it was not counted. Undefined in files of older versions. */
  readonly spent?: { readonly epsilon: number; readonly rho: number | null }
  /** Some earlier heads, newest first. */
  readonly marks: readonly Mark[]
}

/** An earlier head, and what was paid for between it and the next newer one, at its own price. */
export interface Mark extends Head {
  readonly billed: Spending
}

/**
 * The file beside a policy with the head last seen, as lines of text: the receipt; what was spent up to there in ε and ρ;
 * then earlier receipts, newest first, each with what was paid for between it and the one above. Numbers are in units
 * of 10^-12, `-` where there is none. Older versions wrote the first line only.
 */
export function readHeadFile(file: string): Seen | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(file)
  }
  const seen = seenFrom(text.trimEnd().split('\n'))
  if (!seen) throw unreadable(file)
  return seen
}

function seenFrom([first = '', second, ...rest]: readonly string[]): Seen | undefined {
  const head = parseReceipt(first)
  if (!head || second === undefined) return head && { ...head, marks: [] }
  const spent = numbersFrom(/^spent (\S+) (\S+)$/.exec(second)?.slice(1))
  const marks = rest.map(markFrom)
  if (!spent || marks.includes(undefined)) return undefined
  return { ...head, spent: { epsilon: spent[0] ?? unbounded, rho: spent[1] }, marks: marks as Mark[] }
}

function markFrom(line: string): Mark | undefined {
  const [, receipt = '', ...fields] = /^after (\S+) (\S+) (\S+)$/.exec(line) ?? []
  const head = parseReceipt(receipt)
  const billed = numbersFrom(fields)
  return head && billed && { ...head, billed: { epsilon: billed[0] ?? unbounded, rho: billed[1] ?? unbounded } }
}

const unbounded = Number.POSITIVE_INFINITY

function numbersFrom(fields: readonly string[] = []): [number | null, number | null] | undefined {
  if (fields.length !== 2 || !fields.every((field) => /^(-|\d{1,16})$/.test(field))) return undefined
  const [epsilon, rho] = fields.map((field) => (field === '-' ? null : Number(field)))
  return [epsilon!, rho!]
}

const numberText = (units: number | null) => (units === null || !Number.isFinite(units) ? '-' : `${units}`)

let written = 0

/** Writes it anew, all of it or not at all. */
export function writeHeadFile(file: string, { spent, marks, ...head }: Required<Seen>): void {
  const lines = [
    formatReceipt(head),
    `spent ${numberText(spent.epsilon)} ${numberText(spent.rho)}`,
    ...marks.map(
      ({ billed, ...mark }) => `after ${formatReceipt(mark)} ${numberText(billed.epsilon)} ${numberText(billed.rho)}`,
    ),
  ]
  const draft = `${file}.${process.pid}-${written++}.new`
  try {
    const target = openSync(draft, 'wx')
    try {
      writeSync(target, `${lines.join('\n')}\n`)
      fsyncSync(target)
    } finally {
      closeSync(target)
    }
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

const unreadable = (file: string) =>
  new ReticentError(
    'ledger-corrupt',
    { file },
    {
      message: 'the head file, with the receipt of the ledger last used here, cannot be read',
      detail: file,
      hint: 'Restore it from a backup. If the owner is sure that the ledger is the newest one, the file may be deleted: the next answer writes it again.',
    },
  )
