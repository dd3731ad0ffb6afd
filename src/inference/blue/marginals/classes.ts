import { type Column, tableOf } from '../column.ts'
import { kept } from '../kept.ts'

/** Codes of one attribute that no column of a list tells apart: one code of each class, and how many there are in it. */
export interface Classes {
  readonly codes: Int32Array
  readonly counts: Float64Array
}

/** From so many columns on every code gets a class of its own: hardly any two are alike, and comparing costs more. */
const many = 16

export function classesOf(columns: readonly Column[], size: number): Classes {
  if (columns.length >= many)
    return { codes: Int32Array.from({ length: size }, (_, code) => code), counts: new Float64Array(size).fill(1) }
  let classOf = new Int32Array(size)
  for (const column of columns) classOf = refined(classOf, tableOf(column))
  const codes: number[] = []
  const counts: number[] = []
  classOf.forEach((number, code) => {
    if (number === codes.length) {
      codes.push(code)
      counts.push(0)
    }
    counts[number]!++
  })
  return { codes: Int32Array.from(codes), counts: Float64Array.from(counts) }
}

/** Classes within classes, numbered in the order of their first codes. */
function refined(classOf: Int32Array, table: Float64Array): Int32Array<ArrayBuffer> {
  const numbers = new Map<number, Map<number, number>>()
  let next = 0
  return Int32Array.from(table, (value, code) => {
    const parent = classOf[code]!
    const children = kept(numbers, parent, () => new Map<number, number>())
    return kept(children, value, () => next++)
  })
}
