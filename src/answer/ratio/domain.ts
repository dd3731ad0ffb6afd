import { fromNumber, toNumber } from '../../numeric/index.ts'
import { type Expression, type LinearQuery, type Statement, weightTable } from '../../query/index.ts'
import { attributeNamed, type Universe } from '../../schema/index.ts'
import { affineOf } from '../column/affine.ts'

/** The cells of the attributes that a ratio mentions are visited one by one, up to this many. */
const mostCells = 2 ** 16

interface Ends {
  readonly low: number
  readonly high: number
}

/**
 * The statement with every quotient of two sums clipped to what it can be, whatever the records are: a share to 0 … 1, a sum over a
 * count to the values of its attribute. If each record adds between low and high times to the numerator of what it adds to the
 * denominator, the ratio lies between them. So intervals lose nothing but what is impossible.
 */
export function withDomains(statement: Statement, universe: Universe): Statement {
  const columns = statement.columns.map((column) =>
    column.kind === 'key' ? column : { ...column, expression: clipped(column.expression, statement.parts, universe) },
  )
  return { ...statement, columns }
}

function clipped(e: Expression, parts: readonly LinearQuery[], universe: Universe): Expression {
  switch (e.kind) {
    case 'constant':
    case 'part':
    case 'quantile':
    case 'window-sum':
    case 'window-rank':
      return e
    case 'root':
    case 'clip':
      return { ...e, of: clipped(e.of, parts, universe) }
    case 'quotient': {
      const ends = endsOf(e.left, e.right, [parts, universe])
      return ends ? { kind: 'clip', of: e, low: outward(ends.low, -1), high: outward(ends.high, 1) } : e
    }
    default:
      return { ...e, left: clipped(e.left, parts, universe), right: clipped(e.right, parts, universe) }
  }
}

/** Short decimals stay as they are; other ends move outwards by more than rounding can have moved them inwards. */
const outward = (end: number, sign: number) =>
  fromNumber(Number(end.toPrecision(9)) === end ? end : end + sign * 1e-12 * Math.abs(end))

function endsOf(
  left: Expression,
  right: Expression,
  [parts, universe]: readonly [readonly LinearQuery[], Universe],
): Ends | undefined {
  const [above, below] = [affineOf(left), affineOf(right)]
  if (above?.part === undefined || below?.part === undefined || above.offset !== 0 || below.offset !== 0)
    return undefined
  const found = recordEnds(parts[above.part]!, parts[below.part]!, universe)
  if (!found) return undefined
  const times = above.times / below.times
  const [low, high] = [found.low * times, found.high * times]
  return times > 0 ? { low, high } : { low: high, high: low }
}

/** What a record adds to the numerator, as a multiple of what it adds to the denominator: from … to; undefined if there are no bounds. */
function recordEnds(above: LinearQuery, below: LinearQuery, universe: Universe): Ends | undefined {
  const names = [
    ...new Set([above, below].flatMap(({ terms }) => terms.flatMap(({ factors }) => Object.keys(factors)))),
  ]
  const sizes = names.map((name) => attributeNamed(universe, name).size)
  const cells = sizes.reduce((n, size) => n * size, 1)
  if (!(cells <= mostCells)) return undefined
  const [over, under] = [weightTable(above, names, sizes), weightTable(below, names, sizes)]
  const steps = toNumber(above.step) / toNumber(below.step)
  let [low, high] = [Infinity, -Infinity]
  for (let cell = 0; cell < cells; cell++) {
    const [x, n] = [over[cell]!, under[cell]!]
    if (n === 0 && x === 0) continue
    if (!(n > 0)) return undefined
    low = Math.min(low, (x / n) * steps)
    high = Math.max(high, (x / n) * steps)
  }
  return low <= high ? { low, high } : undefined
}
