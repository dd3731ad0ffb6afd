import { toNumber } from '../../../../numeric/index.ts'
import {
  type Attribute,
  type DateAttribute,
  dateOrdinal,
  otherCode,
  type ValuesAttribute,
  valueGrid,
} from '../../../../schema/index.ts'
import type { Column, Dialect } from '../dialect.ts'
import { binSql } from './bins.ts'
import { cast, double } from './words.ts'

/**
 * Near a tie between two grid points, this fraction of a step counts as the tie and goes up: doubles cannot tell 0.15
 * from the tie between 0.1 and 0.2, people can.
 */
const tie = 1e-6

const clamp = (value: string, low: string | number, high: string | number) =>
  `CASE WHEN ${value} < ${low} THEN ${low} WHEN ${value} > ${high} THEN ${high} ELSE ${value} END`
const day = (date: string) => `DATE '${date}'`

/** What is made of a text is dear, and is computed once. */
const bound = (d: Dialect, { kind }: Column, value: string, use: (value: string) => string): string =>
  d.bind && (kind === 'text' || kind === 'other') ? d.bind(value, use) : use(value)

/** Position on the grid low + i·step, clamped, halves up; NULL for no number. */
function grid(d: Dialect, column: Column, low: number, step: number, count: number): string {
  if (column.kind === 'integer' && step === 1) {
    // Two codes are told by one comparison, at half the time: tables of bits have many such columns.
    if (count === 2) return d.flag(`${column.sql} >= ${low + 1}`)
    // In 64 bits: literals would take the column's own type, where the difference may overflow.
    const value = cast(column.sql, 'BIGINT')
    return `${clamp(value, low, low + count - 1)} - (${low})`
  }
  // Floats of 32 bits as they are, not as people mean them: records keep their cells under ledgers that are older than bins.
  const value = column.kind === 'float' ? double(column.sql) : d.number(column)
  const steps = `((${value}) - ${d.real(low)}) / ${d.real(step)}`
  // NaN may be the largest number of all, so it must leave before the clamping.
  return bound(d, column, d.withoutNaN(steps), (place) => {
    return `floor(${clamp(place, d.real(0), d.real(count - 1))} + ${d.real(0.5 + tie)})`
  })
}

const yes = ['true', 't', 'yes', 'y', '1']
const no = ['false', 'f', 'no', 'n', '0']

function truth(d: Dialect, column: Column): string {
  if (column.kind === 'boolean') return d.flag(column.sql)
  const place = d.position(`lower(${d.text(column)})`, [...yes, ...no])
  return `CASE WHEN ${place} < ${yes.length} THEN 1 WHEN ${place} >= ${yes.length} THEN 0 END`
}

/** The listed value's code, `other` for an unlisted one where there is that code; NULL otherwise. */
function listed(d: Dialect, column: Column, a: ValuesAttribute): string {
  const text = d.text(column)
  const found = d.position(text, a.values)
  return a.other ? `CASE WHEN ${text} IS NOT NULL THEN coalesce(${found}, ${otherCode(a)}) END` : found
}

const ordinal = (d: Dialect, column: Column, a: DateAttribute): string =>
  bound(d, column, d.date(column, a.format), (date) => {
    const clamped = `(${clamp(date, day(a.from), day(a.to))})`
    if (a.by === 'day') return d.daysBetween(day(a.from), clamped)
    const first = dateOrdinal(a.from, a.by)
    const year = `extract(year FROM ${clamped})`
    return a.by === 'year' ? `${year} - ${first}` : `${year} * 12 + extract(month FROM ${clamped}) - 1 - ${first}`
  })

/** The value's code as SQL; NULL where the value is missing, unparsable or unlisted. */
export function valueSql(d: Dialect, a: Attribute, column: Column): string {
  switch (a.kind) {
    case 'values':
      return listed(d, column, a)
    case 'integer':
      return grid(d, column, a.low, 1, a.high - a.low + 1)
    case 'decimal':
      return grid(d, column, toNumber(a.low), toNumber(a.step), a.size - (a.closed ? 0 : 1))
    case 'bins':
      return bound(d, column, d.withoutNaN(d.number(column)), (value) => binSql(d, value, a))
    case 'boolean':
      return truth(d, column)
    case 'date':
      return ordinal(d, column, a)
  }
}

/** Whether a value will be clamped, as SQL; false for attributes without a range. */
export function outsideSql(d: Dialect, a: Attribute, column: Column): string {
  const outside = (value: string, low: string, high: string) =>
    `coalesce(${bound(d, column, value, (v) => `${v} < ${low} OR ${v} > ${high}`)}, false)`
  const number = () => d.withoutNaN(d.number(column))
  switch (a.kind) {
    case 'integer':
      return outside(number(), d.real(a.low), d.real(a.high))
    case 'decimal':
    case 'bins':
      return outside(number(), d.real(toNumber(a.low)), d.real(toNumber(a.high)))
    case 'date':
      return outside(d.date(column, a.format), day(a.from), day(a.to))
    default:
      return 'false'
  }
}

/** Whether rounding to the grid will move a value that lies within the bounds, as SQL; false for attributes without a grid. */
export function movedSql(d: Dialect, a: Attribute, column: Column): string {
  const grid = a.kind === 'integer' || a.kind === 'decimal' ? valueGrid(a)! : undefined
  if (!grid || (column.kind === 'integer' && a.kind === 'integer')) return 'false'
  const steps = `((${d.withoutNaN(d.number(column))}) - ${d.real(toNumber(grid.low))}) / ${d.real(toNumber(grid.step))}`
  const isOff = bound(d, column, steps, (v) => `abs(${v} - floor(${v} + ${d.real(0.5)})) > ${d.real(tie)}`)
  return `coalesce(${isOff}, false) AND NOT ${outsideSql(d, a, column)}`
}

/**
 * The record's code in an attribute as one SQL expression: 0 … size-1 whatever the value is, never NULL, never an error.
 * evaluation/encode.ts is its slow twin.
 */
export const codeSql = (d: Dialect, a: Attribute, column: Column): string =>
  cast(`coalesce(${valueSql(d, a, column)}, ${a.closed ? 0 : a.size - 1})`, d.codeType(a.size))
