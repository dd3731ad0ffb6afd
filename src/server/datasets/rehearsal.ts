import { type Attribute, isNumber, label, type Policy } from '../../schema/index.ts'
import { quoted } from './examples.ts'

/** So many questions, and a program that has answered them has been compiled. */
const many = 60

/** Counts that a thread may answer for itself before people ask it, made from the policy alone; the first is of all records. */
export function rehearsalFor({ dataset, universe: { attributes } }: Policy): string[] {
  const count = `SELECT COUNT(*) FROM ${quoted(dataset)}`
  const plain = attributes.filter((a) => a.kind !== 'bins' && a.size > 2)
  const conditions = plain.toSorted((a, b) => Number(isNumber(b)) - Number(isNumber(a))).flatMap(conditionsOn)
  return [count, ...conditions.slice(0, many).map((condition) => `${count} WHERE ${condition}`)]
}

function conditionsOn(a: Attribute): string[] {
  const name = quoted(a.name)
  const literal = (text: string) => (isNumber(a) ? text : `'${text.replaceAll("'", "''")}'`)
  const texts = Array.from({ length: Math.min(a.size, many / 2) }, (_, code) => label(a, code))
  const values = texts.filter((text) => text !== null).map(literal)
  return isNumber(a) || a.kind === 'date'
    ? values.slice(1).map((value) => `${name} BETWEEN ${values[0]} AND ${value}`)
    : values.map((value) => `${name} = ${value}`)
}
