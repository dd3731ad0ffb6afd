import type { TableModel } from '../../model/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { compile, Shapes, type WeightTerm } from '../blue/compile.ts'
import { JointTable } from './joint-table.ts'
import type { ProductPrior } from './prior/prior.ts'
import { PriorColumn } from './prior/prior-column.ts'

/** A term of a query: a product of functions of single attributes, times a number. */
interface ProductPiece {
  readonly kind: 'product'
  readonly coefficient: number
  /** Places in the universe, ascending. */
  readonly attributes: readonly number[]
  readonly columns: readonly PriorColumn[]
}
/** Many terms over the same attributes, as a table. */
interface TablePiece {
  readonly kind: 'table'
  readonly attributes: readonly number[]
  readonly table: JointTable
}
type Piece = ProductPiece | TablePiece

/** What a scalar query adds for a record: a function of the record's cell, in the data's own units, with its sums under the prior. */
export interface Feature {
  readonly pieces: readonly Piece[]
  /** Of the function, for a record that is drawn from the product of single attributes. */
  readonly mean: number
  /** Of the function, as it is believed to be before any answer: the mean, unless a model of the whole table says something else. */
  readonly expected: number
  readonly step: number
}

/** So many terms over the same attributes make a table, of at most so many cells. */
const [leastTerms, mostCells] = [4, 2 ** 13]

/** Makes queries ready for products under a prior. */
export class Features {
  readonly #universe: Universe
  readonly #prior: ProductPrior
  readonly #expected: TableModel | undefined
  readonly #shapes = new Shapes()

  /** `expected`: the table that is believed in before any answer, where that is not the prior's. */
  constructor(universe: Universe, prior: ProductPrior, expected?: TableModel) {
    this.#universe = universe
    this.#prior = prior
    this.#expected = expected
  }

  /** Of a query without groups. */
  of(query: LinearQuery): Feature {
    const { terms, step } = compile(query, this.#universe, this.#shapes)
    const pieces = [...Map.groupBy(terms, ({ shape }) => shape).values()].flatMap((alike) => this.#piecesOf(alike))
    const mean = step * pieces.reduce((sum, piece) => sum + meanOf(piece), 0)
    const model = this.#expected
    return { pieces, step, mean, expected: model ? (step * model.answers(query)[0]!) / model.records : mean }
  }

  #piecesOf(terms: readonly WeightTerm[]): Piece[] {
    const products = terms.map(({ coefficient, attributes, columns }): ProductPiece => {
      const made = columns.map((column, i) => new PriorColumn(column, this.#prior[attributes[i]!]!))
      return { kind: 'product', coefficient, attributes, columns: made }
    })
    const { attributes } = terms[0]!
    const cells = attributes.reduce((product, place) => product * this.#prior[place]!.size, 1)
    if (terms.length < leastTerms || cells > mostCells) return products
    return [
      {
        kind: 'table',
        attributes,
        table: new JointTable(
          products,
          attributes.map((place) => this.#prior[place]!),
        ),
      },
    ]
  }
}

const meanOf = (piece: Piece): number =>
  piece.kind === 'table'
    ? piece.table.mean
    : piece.columns.reduce((product, { mean }) => product * mean, piece.coefficient)

/**
 * The kernel: the covariance of two functions of a record that is drawn from the prior. It is the inner product of what they
 * are beside their means.
 */
export function covariance(q: Feature, r: Feature): number {
  let sum = 0
  for (const piece of q.pieces) for (const other of r.pieces) sum += productOf(piece, other)
  return q.step * r.step * sum - q.mean * r.mean
}

/**
 * What the covariance has of single attributes: of the parts of both functions that are sums of functions of one attribute each. The rest of
 * it is how attributes go together; under a product the two have nothing to do with each other.
 */
export function singleCovariance(q: Feature, r: Feature): number {
  let sum = 0
  for (const piece of q.pieces)
    for (const other of r.pieces)
      for (const place of piece.attributes)
        if (other.attributes.includes(place)) sum += productOver(place, piece, other) - meanOf(piece) * meanOf(other)
  return q.step * r.step * sum
}

/** The mean of the product of what two pieces are, on average, for each code of one attribute. */
function productOver(place: number, p: Piece, q: Piece): number {
  if (p.kind === 'table')
    return q.kind === 'table'
      ? p.table.times(q.table, maskOf(p.attributes, [place]), maskOf(q.attributes, [place]))
      : othersOf(q, place) * p.table.against([columnOf(q, place)], maskOf(p.attributes, [place]))
  if (q.kind === 'table') return productOver(place, q, p)
  return othersOf(p, place) * othersOf(q, place) * columnOf(p, place).cross(columnOf(q, place))
}

const columnOf = ({ attributes, columns }: ProductPiece, place: number): PriorColumn =>
  columns[attributes.indexOf(place)]!

/** The coefficient, times the means over all other attributes. */
const othersOf = ({ attributes, columns, coefficient }: ProductPiece, place: number): number =>
  columns.reduce((product, { mean }, i) => (attributes[i] === place ? product : product * mean), coefficient)

/** The mean of the product of two pieces. */
function productOf(p: Piece, q: Piece): number {
  if (p.kind === 'product') return q.kind === 'product' ? ofProducts(p, q) : mixed(q, p)
  if (q.kind === 'product') return mixed(p, q)
  const shared = p.attributes.filter((place) => q.attributes.includes(place))
  return p.table.times(q.table, maskOf(p.attributes, shared), maskOf(q.attributes, shared))
}

function ofProducts(p: ProductPiece, q: ProductPiece): number {
  let product = p.coefficient * q.coefficient
  let [i, j] = [0, 0]
  while (i < p.columns.length && j < q.columns.length) {
    const [x, y] = [p.attributes[i]!, q.attributes[j]!]
    if (x === y) product *= p.columns[i++]!.cross(q.columns[j++]!)
    else product *= x < y ? p.columns[i++]!.mean : q.columns[j++]!.mean
  }
  while (i < p.columns.length) product *= p.columns[i++]!.mean
  while (j < q.columns.length) product *= q.columns[j++]!.mean
  return product
}

function mixed({ attributes, table }: TablePiece, q: ProductPiece): number {
  const shared = q.columns.filter((_, i) => attributes.includes(q.attributes[i]!))
  const others = q.columns.filter((_, i) => !attributes.includes(q.attributes[i]!))
  const mask = maskOf(attributes, q.attributes)
  return others.reduce((product, { mean }) => product * mean, q.coefficient) * table.against(shared, mask)
}

/** Which of these are among the others, a bit for each. */
const maskOf = (attributes: readonly number[], others: readonly number[]): number =>
  attributes.reduce((mask, place, i) => (others.includes(place) ? mask | (1 << i) : mask), 0)
