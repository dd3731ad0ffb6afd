import { type Attribute, label, nullCode, otherCode, type Policy, suggesting, usage } from '../../schema/index.ts'
import { fitted, number, table } from '../format.ts'

/** A line per attribute: what kind, how many values, which. */
export function attributesText({ universe }: Policy, width: number): Iterable<string> {
  const header = ['attribute', 'kind', 'values', 'from … to', '']
  const rows = universe.attributes.map((a) => [a.name, a.kind, number(valuesOf(a).length), spanOf(a), besides(a)])
  return table(header, fitted(header, rows, 3, width), [false, false, true])
}

/** All values of one attribute. */
export function attributeText({ universe }: Policy, name: string): Iterable<string> {
  const { attributes } = universe
  const found = attributes.find((a) => a.name.toLowerCase() === name.toLowerCase())
  if (!found) {
    const names = attributes.map((a) => a.name)
    throw usage(`there is no attribute ${suggesting(name, names)}`, `The attributes are ${names.join(', ')}.`)
  }
  const several = found.kind === 'values' ? valuesOf(found).map((code) => label(found, code)!) : [spanOf(found)]
  return [
    `${found.name}: ${found.kind}${besides(found) && `, ${besides(found)}`}`,
    ...several.map((value) => `  ${value}`),
  ]
}

/** The codes that are values. */
function valuesOf(a: Attribute): number[] {
  const codes = Array.from({ length: a.size }, (_, code) => code)
  return codes.filter((code) => code !== nullCode(a) && code !== otherCode(a))
}

function spanOf(a: Attribute): string {
  const codes = valuesOf(a)
  if (a.kind === 'values')
    return codes
      .slice(0, 20)
      .map((code) => label(a, code))
      .join(', ')
  return `${label(a, codes[0]!)} … ${label(a, codes.at(-1)!)}`
}

const besides = (a: Attribute): string =>
  [otherCode(a) >= 0 && 'other', nullCode(a) >= 0 && 'NULL'].filter(Boolean).join(', ')
