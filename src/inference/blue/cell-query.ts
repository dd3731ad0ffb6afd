import { axisSizes, type Factor, factorTable, type Indicator, type LinearQuery, type Term } from '../../query/index.ts'
import { attributeNamed, type Universe } from '../../schema/index.ts'

/** One cell of a grouped query as a query of its own, without groups. Cells run as in the answer, last axis fastest. */
export function cellQuery(query: LinearQuery, u: Universe, cell: number): LinearQuery {
  const sizes = axisSizes(query, u)
  let terms = query.terms
  let left = cell
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const { attribute, groups } = query.by[axis]!
    const group = left % sizes[axis]!
    left = (left - group) / sizes[axis]!
    const only: Indicator = groups?.[group] ?? { kind: 'interval', from: group, to: group }
    const { size } = attributeNamed(u, attribute)
    terms = terms.map((term) => restrict(term, attribute, only, size))
  }
  return { by: [], terms, step: query.step }
}

const restrict = ({ coefficient, factors }: Term, name: string, only: Indicator, size: number): Term => ({
  coefficient,
  factors: { ...factors, [name]: factors[name] ? product(factors[name], only, size) : only },
})

/** f where the indicator is 1, else 0. */
function product(f: Factor, only: Indicator, size: number): Factor {
  if (f.kind === 'interval' && only.kind === 'interval') {
    const [from, to] = [Math.max(f.from, only.from), Math.min(f.to, only.to)]
    return from <= to ? { kind: 'interval', from, to } : { kind: 'set', codes: [] }
  }
  const [x, y] = [factorTable(f, size), factorTable(only, size)]
  const values = Array.from(x, (value, code) => value * y[code]!)
  if (f.kind === 'value' || f.kind === 'table') return { kind: 'table', values }
  return { kind: 'set', codes: [...values.keys()].filter((code) => values[code] === 1) }
}
