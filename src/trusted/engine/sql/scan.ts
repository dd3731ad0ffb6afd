import { strides } from '../../../numeric/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { MarginalsScan, Scans } from './answer.ts'
import { placeIn, takeCount, takeGroup, wholeSum } from './counted.ts'
import type { Session } from './database.ts'
import type { Dialect } from './dialect.ts'
import { code, grouped } from './encoding/records.ts'
import { double } from './encoding/words.ts'
import { emptyHistogram, marginalsOf } from './histogram/histogram.ts'
import type { KeptHistograms } from './histogram/kept-histograms.ts'
import { measureSql } from './measure.ts'
import { countAtOnce, countSets } from './pass/pass.ts'
import type { AttributeSets } from './pass/sets.ts'
import type { PushedScan } from './plan.ts'
import { type Counted, remoteMarginals } from './remote.ts'

/**
 * GROUP BY over separate columns: DuckDB groups dictionary-encoded and small integers much faster than one product. `n` is how many
 * records a row stands for, where it is not one.
 */
export const histogramSql = (attributes: readonly number[], from: string, n?: string): string => {
  const columns = attributes.map(code)
  const count = n === undefined ? 'count(*)' : `coalesce(sum(${n}), 0)`
  return `SELECT ${[...columns, double(count)].join(', ')} FROM ${from}${grouped(columns)}`
}

/**
 * One measure alone is a WHERE, which a database can push into the scan; several are FILTERs of one scan. `n` is how many records a row
 * stands for, where it is not one: then nothing but records may be counted.
 */
export function pushedSql(d: Dialect, { by, measures }: PushedScan, from: string, u: Universe, n?: string): string {
  const columns = by.map(code)
  const rendered = measures.map((m) => measureSql(d, m, u))
  const alone = rendered.length === 1
  const sums = rendered.map(({ where, value, wide }) => {
    const some = alone || where === 'true' ? '' : ` FILTER (WHERE ${where})`
    if (value) return d.sum(value, some, wide)
    return double(n === undefined ? `count(*)${some}` : `coalesce(sum(${n})${some}, 0)`)
  })
  const filter = alone ? ` WHERE ${rendered[0]!.where}` : ''
  return `SELECT ${[...columns, ...sums].join(', ')} FROM ${from}${filter}${grouped(columns)}`
}

/** The relation of codes that a scan of these attributes reads. */
export type From = (attributes: readonly number[]) => string

/** The codes of all records that count, in one of three ways. */
export interface Relation {
  readonly from: From
  /** Codes with their number of records, where these are not kept. */
  readonly counted?: Counted
  /** What was counted from a relation that stays as it is. */
  readonly kept?: KeptHistograms
}

const reader =
  (session: Session, from: From): Parameters<typeof countAtOnce>[2] =>
  (attributes, visit) => {
    const columns = attributes.map(code)
    // Without its columns the same relation has the same records, and a thousand expressions less to plan.
    return session.chunks(`SELECT ${columns.join(', ') || '0'} FROM ${from(attributes)}`, visit, from([]))
  }

/** The counts of these sets, one after the other, from one reading of all records. */
export const countsOf = (session: Session, u: Universe, from: From, sets: AttributeSets): Promise<Float64Array> =>
  countAtOnce(sets, u, reader(session, from))

async function histogramOf(session: Session, u: Universe, attributes: readonly number[], sql: string) {
  const sizes = attributes.map((a) => u.attributes[a]!.size)
  const histogram = emptyHistogram(attributes, sizes)
  const steps = strides(sizes)
  await session.rows(sql, (at) => {
    let cell = 0
    for (let axis = 0; axis < steps.length; axis++) cell += placeIn(sizes[axis]!, at(axis)) * steps[axis]!
    takeCount(histogram.counts, cell, at(steps.length))
  })
  return histogram
}

/** The histograms of a relation of codes that is near: whole ones, and their marginals made here. */
async function* nearMarginals(
  session: Session,
  u: Universe,
  { from, counted, kept }: Relation,
  scans: readonly MarginalsScan[],
) {
  for (const { attributes, sets } of scans) {
    const sql = counted
      ? histogramSql(attributes, `(${counted.of(attributes)}) AS counted`, 'n')
      : histogramSql(attributes, from(attributes))
    const count = () => histogramOf(session, u, attributes, sql)
    yield marginalsOf(await (kept ? kept.of(attributes, count) : count()), sets)
  }
}

/** The scans of a relation of codes. */
export const scansOf = (session: Session, d: Dialect, u: Universe, relation: Relation): Scans => ({
  histograms: (sets) => countSets(sets, u, reader(session, relation.from)),
  marginals: (scans) =>
    relation.counted && session.isRemote
      ? remoteMarginals(session, u, relation.counted, scans)
      : nearMarginals(session, u, relation, scans),
  async pushed(scan, add) {
    const { from, counted } = relation
    const attributes = attributesOf(scan, u)
    const sql =
      counted && !session.isRemote && isCountOfFew(scan, attributes, d, u)
        ? pushedSql(d, scan, `(${counted.of(attributes)}) AS counted`, u, 'n')
        : pushedSql(d, scan, from(attributes), u)
    const codes = new Int32Array(scan.by.length)
    const sizes = scan.by.map((a) => u.attributes[a]!.size)
    const groups = new Set<string>()
    await session.rows(sql, (at) => {
      for (let axis = 0; axis < codes.length; axis++) codes[axis] = placeIn(sizes[axis]!, at(axis))
      if (session.isRemote) takeGroup(groups, codes.join())
      for (let m = 0; m < scan.measures.length; m++) add(codes, m, wholeSum(at(codes.length + m)))
    })
  },
})

/** Combinations of codes that are counted before a condition is looked at, once for each of them and not for every record. */
const mostCounted = 2 ** 16

/** Whether records alone are counted, by several attributes with few combinations: of one attribute a database is as fast by itself. */
const isCountOfFew = ({ measures }: PushedScan, attributes: readonly number[], d: Dialect, u: Universe): boolean =>
  attributes.length > 1 &&
  attributes.reduce((n, a) => n * u.attributes[a]!.size, 1) <= mostCounted &&
  measures.every((m) => measureSql(d, m, u).value === '')

/** The attributes that a pushed scan looks at. */
export const attributesOf = ({ by, measures }: PushedScan, u: Universe): number[] => [
  ...new Set([...by, ...measures.flatMap((m) => Object.keys(m).map((n) => u.index.get(n)!))]),
]
