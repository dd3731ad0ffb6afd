import { type Box, boxes } from '../condition/boxes.ts'
import type { Predicate } from '../condition/predicate.ts'
import { everything, type Ranges, unite } from '../condition/ranges.ts'
import type { JointMoment, Moment } from '../expression/moment.ts'
import { linearQuantity, type Parts, type Quantity } from '../expression/quantity.ts'
import { type Groups, weigh } from '../expression/terms.ts'
import type { Scope } from '../scope.ts'

/** What aggregates are taken over: the records of the WHERE, in groups; and where their queries are collected. */
export interface Rows extends Scope {
  readonly where: Predicate
  readonly groups: Groups
  readonly parts: Parts
}

/** The cells in which a condition is true. */
export const cells = (rows: Rows, where: Predicate): Box[] => boxes(where, rows.universe, rows.work)
/** Σ over those records of a product of moments; of none, their number. */
export const sumOver = (rows: Rows, found: readonly Box[], ...moments: (Moment | JointMoment)[]): Quantity =>
  linearQuantity(weigh(found, moments, rows.groups, rows.universe))
export const countRows = (rows: Rows, where: Predicate): Quantity => sumOver(rows, cells(rows, where))

/** The codes that an attribute can have in some box. */
export const codesOf = (found: readonly Box[], index: number, size: number): Ranges =>
  found.map((box) => box.get(index) ?? everything(size)).reduce(unite, [])
