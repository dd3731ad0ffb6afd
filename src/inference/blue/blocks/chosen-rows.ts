import type { Column } from '../column.ts'
import type { Shapes, Weights } from '../compile.ts'
import { kept } from '../kept.ts'
import type { Axis } from './axis.ts'
import { type Block, columnAt } from './block.ts'
import { type AxisClass, classesOf, classKey, cutGroups } from './classes.ts'
import { CoarseRows } from './coarse-rows.ts'
import { shapeOf } from './column-key.ts'
import { numbersIn, type Row } from './row.ts'

/** Of the tables that are combined with others, so many say which codes are told apart beside the question's own… */
const mostTelling = 16
/** …with at most so many columns of an attribute. */
const mostColumns = 6
/** A table that would be more sums than this is left out. */
const mostSums = 256

/** Some answers as a question sees them, and how many noisy numbers are in them. */
interface ChosenRows {
  readonly rows: readonly Row[]
  readonly numbers: number
  /** Was there room for all? */
  readonly isAll: boolean
}

/**
 * Sums of the tables' cells, the first tables first, up to so many of them, and of those that tell the question by
 * themselves, however many. Cells are told apart where the question does, and where the first tables do: by their conditions,
 * and by groups through which the question cuts. What tells the question by itself has no say in that, so that one more
 * answer to it only adds to what is combined.
 */
export function chosenRows(
  question: Weights,
  { ranked, telling }: { readonly ranked: readonly Block[]; readonly telling: readonly Block[] },
  most: number,
  shapes: Shapes,
): ChosenRows {
  const coarse = new CoarseRows(shapes)
  const classes = new Map<Axis, Map<string, readonly AxisClass[]>>()
  const interesting = interestingColumns(question, ranked.slice(0, mostTelling))
  const classesAlong = (axis: Axis, { shared }: Block) => {
    const own = shared.terms.map((term) => columnAt(term, axis.place))
    const made = kept(classes, axis, () => new Map())
    return kept(made, classKey(own), () => classesOf(axis, own, interesting.get(axis.place) ?? []))
  }
  const add = (block: Block): void => {
    const lists = block.axes.map((axis) => classesAlong(axis, block))
    if (lists.reduce((product, list) => product * list.length, 1) <= mostSums) coarse.add(block, lists)
  }
  let isAll = true
  for (const block of ranked) {
    isAll = coarse.size < most
    if (!isAll) break
    add(block)
  }
  for (const block of telling) add(block)
  const { rows } = coarse
  const numbers = rows.reduce((sum, row) => sum + numbersIn(row), 0)
  return { rows, numbers, isAll }
}

/** By attribute. */
function interestingColumns(question: Weights, blocks: readonly Block[]): Map<number, readonly Column[]> {
  const byPlace = new Map<number, Map<string, Column>>()
  const note = (place: number, column: Column, most: number) => {
    const list = byPlace.get(place) ?? new Map<string, Column>()
    byPlace.set(place, list)
    if (list.size < most) list.set(shapeOf(column).text, column)
  }
  for (const { attributes, columns } of question.terms)
    for (const [i, place] of attributes.entries()) note(place, columns[i]!, Number.POSITIVE_INFINITY)
  for (const { shared, axes } of blocks)
    for (const term of shared.terms) {
      for (const [i, place] of term.attributes.entries()) note(place, term.columns[i]!, mostColumns)
      for (const axis of axes)
        for (const { attributes, columns } of question.terms) {
          const h = columns[attributes.indexOf(axis.place)]
          if (h) for (const cut of cutGroups(axis, columnAt(term, axis.place), h)) note(axis.place, cut, mostColumns)
        }
    }
  return new Map(Array.from(byPlace, ([place, list]) => [place, [...list.values()]]))
}
