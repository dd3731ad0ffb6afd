import { parseRational, type Rational, type Spans } from '../../../numeric/index.ts'
import { type Grid, type Integers, lawFromJson, queryFromJson, sameJson } from '../../../query/index.ts'
import { attributesFromJson, type Guard, type Unit } from '../../../schema/index.ts'
import { corrupt } from '../damage.ts'
import { type Encoded, type Kind, type Of, rowToJson } from './encode.ts'
import { decodeIntegers } from './integers.ts'
import { isTogether, queriesFromJson } from './query-list.ts'
import type { PrivacyTerms, Purchase, Row, Sold } from './row.ts'

/**
 * Reads what encodeRow wrote, and nothing else: a row counts as read only when writing it again gives the same JSON,
 * so a field that this version does not know, at whatever depth, is a refusal and not a zero cost.
 */
export function decodeRow({ body, blob }: Encoded): Row {
  try {
    const json: unknown = JSON.parse(body)
    const row = rowFrom(fieldsOf(json), blob)
    const isRead = (form: Row) => sameJson(json, rowToJson(form))
    const read = isRead(row) ? row : firstForm(row, json).find(isRead)
    if (read) return read
  } catch {
    // Whatever a reader below stumbled over, the row is not one of ours.
  }
  throw corrupt('it cannot be read')
}

/** Runs were written with every query by itself at first. Where some are together it is not tried: they may be many. */
const firstForm = (row: Row, json: unknown): Row[] =>
  row.kind === 'run-open' && !list(fieldsOf(json).queries).some(isTogether) ? [{ ...row, written: 'one by one' }] : []

interface Fields {
  readonly [name: string]: unknown
}

function rowFrom(fields: Fields, blob: Uint8Array): Row {
  const { kind } = fields
  if (kind === 'record' || kind === 'run-close') return withValues[kind](fields, decodeIntegers(blob))
  if (blob.length > 0 || typeof kind !== 'string' || !Object.hasOwn(plain, kind)) throw new TypeError()
  return plain[kind as keyof typeof plain](fields)
}

type WithValues = 'record' | 'run-close'

const withValues: { [K in WithValues]: (f: Fields, values: Integers[]) => Of<K> } = {
  record: (f, values) => ({ kind: 'record', reserve: rowNumber(f.reserve), values }),
  'run-close': (f, values) => ({
    kind: 'run-close',
    open: rowNumber(f.open),
    purchases: list(f.purchases).map(soldFrom),
    values,
  }),
}

const plain: { [K in Exclude<Kind, WithValues>]: (f: Fields) => Of<K> } = {
  create: (f) => ({
    kind: 'create',
    format: oneOf(f.format, [1]),
    dataset: text(f.dataset),
    privacy: termsFrom(fieldsOf(f.privacy)),
    attributes: attributesFromJson(f.attributes),
    fingerprint: text(f.fingerprint),
  }),
  reserve: (f) => ({
    kind: 'reserve',
    analyst: textOrNull(f.analyst),
    statement: textOrNull(f.statement),
    purchases: list(f.purchases).map(purchaseFrom),
  }),
  refine: (f) => ({
    kind: 'refine',
    analyst: textOrNull(f.analyst),
    statement: textOrNull(f.statement),
    parent: text(f.parent),
    law: lawFromJson(f.law),
  }),
  'run-open': (f) => ({
    kind: 'run-open',
    analyst: textOrNull(f.analyst),
    statement: textOrNull(f.statement),
    ...(f.rho === undefined ? { epsilon: fraction(f.epsilon) } : { rho: fraction(f.rho) }),
    queries: queriesFromJson(list(f.queries)),
    grid: f.grid === null ? null : gridFrom(fieldsOf(f.grid)),
  }),
  void: (f) => ({ kind: 'void', reserve: rowNumber(f.reserve) }),
  epoch: (f) => ({
    kind: 'epoch',
    attributes: attributesFromJson(f.attributes),
    fingerprint: text(f.fingerprint),
  }),
  cap: (f) => ({ kind: 'cap', epsilon: fraction(f.epsilon), delta: fraction(f.delta) }),
  guards: (f) => ({ kind: 'guards', guards: list(f.guards).map(guardFrom) }),
  restore: (f) => {
    const lost = fieldsOf(f.lost)
    return {
      kind: 'restore',
      lost: { seq: rowNumber(lost.seq), hash: text(lost.hash) },
      epsilon: fractionOrNull(f.epsilon),
      rho: fractionOrNull(f.rho),
    }
  },
}

function guardFrom(value: unknown): Guard {
  const f = fieldsOf(value)
  return { query: text(f.query), within: fraction(f.within), confidence: fraction(f.confidence) }
}

function purchaseFrom(value: unknown): Purchase {
  const f = fieldsOf(value)
  return { query: queryFromJson(f.query), law: lawFromJson(f.law) }
}

function soldFrom(value: unknown): Sold {
  const f = fieldsOf(value)
  if (f.kind === undefined) return purchaseFrom(value)
  if (oneOf(f.kind, ['selection', 'score']) === 'score')
    return { kind: 'score', query: place(f.query), law: lawFromJson(f.law) }
  return {
    kind: 'selection',
    candidates: spansFrom(f.candidates),
    weights: f.weights === null ? null : list(f.weights).map(rowNumber),
    rate: fraction(f.rate),
  }
}

/** Ascending, with gaps between them: there is one way only to write the same places. */
function spansFrom(value: unknown): Spans {
  let before = -2
  return list(value).map((span): [number, number] => {
    const [first, last, more] = list(span).map(place)
    if (first === undefined || last === undefined || more !== undefined) throw new TypeError()
    if (first <= before + 1 || last < first) throw new TypeError()
    before = last
    return [first, last]
  })
}

const gridFrom = (f: Fields): Grid => ({
  first: fraction(f.first),
  step: fraction(f.step),
  count: rowNumber(f.count),
})

const termsFrom = (f: Fields): PrivacyTerms => ({
  unit: unitFrom(fieldsOf(f.unit)),
  neighbours: oneOf(f.neighbours, ['add-remove', 'replace-one']),
  epsilon: fraction(f.epsilon),
  delta: fraction(f.delta),
  composition: oneOf(f.composition, ['pure', 'zcdp']),
})

const unitFrom = (f: Fields): Unit =>
  oneOf(f.kind, ['row', 'column']) === 'row'
    ? { kind: 'row' }
    : { kind: 'column', column: text(f.column), rows: rowNumber(f.rows) }

function fieldsOf(value: unknown): Fields {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new TypeError()
  return value as Fields
}
function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError()
  return value
}
function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError()
  return value
}
const textOrNull = (value: unknown): string | null => (value === null ? null : text(value))
function rowNumber(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw new TypeError()
  return value as number
}
function place(value: unknown): number {
  return value === 0 ? 0 : rowNumber(value)
}
function fraction(value: unknown): Rational {
  const read = parseRational(text(value))
  if (!read) throw new TypeError()
  return read
}
const fractionOrNull = (value: unknown): Rational | null => (value === null ? null : fraction(value))
function oneOf<T>(value: unknown, allowed: readonly T[]): T {
  if (!allowed.includes(value as T)) throw new TypeError()
  return value as T
}
