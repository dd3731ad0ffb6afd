import { strides } from '../../../numeric/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { Scans } from './answer.ts'
import type { Session } from './database.ts'
import type { Dialect } from './dialect.ts'
import { code } from './encoding/records.ts'
import { double } from './encoding/words.ts'
import { emptyHistogram } from './histogram.ts'
import { measureSql } from './measure.ts'
import { countAtOnce, countSets } from './pass/pass.ts'
import type { AttributeSets } from './pass/sets.ts'
import type { PushedScan } from './plan.ts'

const grouped = (columns: readonly string[]) => (columns.length > 0 ? ` GROUP BY ${columns.join(', ')}` : '')

/** GROUP BY over separate columns: DuckDB groups dictionary-encoded and small integers much faster than one product. */
export const histogramSql = (attributes: readonly number[], from: string): string => {
  const columns = attributes.map(code)
  return `SELECT ${[...columns, double('count(*)')].join(', ')} FROM ${from}${grouped(columns)}`
}

/** One measure alone is a WHERE, which a database can push into the scan; several are FILTERs of one scan. */
export function pushedSql(d: Dialect, { by, measures }: PushedScan, from: string, u: Universe): string {
  const columns = by.map(code)
  const rendered = measures.map((m) => measureSql(d, m, u))
  const alone = rendered.length === 1
  const sums = rendered.map(({ where, value, wide }) => {
    const some = alone || where === 'true' ? '' : ` FILTER (WHERE ${where})`
    return value ? d.sum(value, some, wide) : double(`count(*)${some}`)
  })
  const filter = alone ? ` WHERE ${rendered[0]!.where}` : ''
  return `SELECT ${[...columns, ...sums].join(', ')} FROM ${from}${filter}${grouped(columns)}`
}

/** The relation of codes that a scan of these attributes reads. */
export type From = (attributes: readonly number[]) => string

const reader =
  (session: Session, from: From): Parameters<typeof countAtOnce>[2] =>
  (attributes, visit) => {
    const columns = attributes.map(code)
    return session.chunks(`SELECT ${columns.join(', ') || '0'} FROM ${from(attributes)}`, visit)
  }

/** The counts of these sets, one after the other, from one reading of all records. */
export const countsOf = (session: Session, u: Universe, from: From, sets: AttributeSets): Promise<Float64Array> =>
  countAtOnce(sets, u, reader(session, from))

/** The scans of a relation of codes. */
export const scansOf = (session: Session, d: Dialect, u: Universe, from: From): Scans => ({
  histograms: (sets) => countSets(sets, u, reader(session, from)),
  async histogram(attributes) {
    const sizes = attributes.map((a) => u.attributes[a]!.size)
    const histogram = emptyHistogram(attributes, sizes)
    const steps = strides(sizes)
    await session.rows(histogramSql(attributes, from(attributes)), (at) => {
      let cell = 0
      for (let axis = 0; axis < steps.length; axis++) cell += (at(axis) as number) * steps[axis]!
      histogram.counts[cell] = at(steps.length) as number
    })
    return histogram
  },
  async pushed(scan, add) {
    const codes = new Int32Array(scan.by.length)
    await session.rows(pushedSql(d, scan, from(attributesOf(scan, u)), u), (at) => {
      for (let axis = 0; axis < codes.length; axis++) codes[axis] = at(axis) as number
      for (let m = 0; m < scan.measures.length; m++) add(codes, m, at(codes.length + m) as number | bigint)
    })
  },
})

/** The attributes that a pushed scan looks at. */
export const attributesOf = ({ by, measures }: PushedScan, u: Universe): number[] => [
  ...new Set([...by, ...measures.flatMap((m) => Object.keys(m).map((n) => u.index.get(n)!))]),
]
