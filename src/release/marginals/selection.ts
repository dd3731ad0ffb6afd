import { maxAnswerSize } from '../../query/index.ts'
import { attributeNamed, problem, type ReticentError, type Universe, usage } from '../../schema/index.ts'

/** More marginals than this are refused: each is a query of its own, in the ledger too. */
const maxMarginals = 100_000

/** All marginals over k attributes, in the universe's order. */
export function allWays(universe: Universe, ways: number): string[][] {
  return combinations(universe.attributes, ways).map(names)
}

/**
 * An attribute by itself, and with every k-1 others: for k = 2 what a naive Bayes classifier of that attribute is made
 * of.
 */
export function containing(universe: Universe, attribute: string, ways: number): string[][] {
  const own = attributeNamed(universe, attribute)
  const others = universe.attributes.filter((other) => other !== own)
  if (ways === 1) return [[attribute]]
  return [[attribute], ...combinations(others, ways - 1, [own]).map(names)]
}

/** The marginals that a text lists: "age,sex; state". */
export function parseMarginals(text: string, universe: Universe): string[][] {
  const parts = text.split(';').map((part) => part.split(',').map((name) => name.trim()))
  if (parts.at(-1)!.join('') === '') parts.pop() // "age; sex;"
  checkMarginals(parts, universe)
  return parts
}

/** Refuses, before anything is spent, what is no list of marginals, or too much. */
export function checkMarginals(marginals: readonly (readonly string[])[], universe: Universe): void {
  if (marginals.length === 0) throw usage('there is no marginal to release', example)
  if (marginals.length > maxMarginals) throw tooMany(marginals.length)
  const seen = new Set<string>()
  let cells = 0
  for (const attributes of marginals) {
    const listed = attributes.join(',')
    if (attributes.length === 0 || attributes.includes('')) throw usage('a marginal needs attributes', example)
    const sizes = attributes.map((name) => attributeNamed(universe, name).size)
    if (new Set(attributes).size < attributes.length) throw usage(`${listed} has an attribute twice`)
    const key = attributes.toSorted().join('\0')
    if (seen.has(key)) throw usage(`${listed} is listed twice`, 'List each marginal once.')
    seen.add(key)
    cells += sizes.reduce((product, size) => product * size, 1)
  }
  refuseCells(cells)
}

const example = 'For example "age,sex; state": the pairs of age and sex, and the states.'

type Named = { readonly name: string; readonly size: number }
const names = (attributes: readonly Named[]) => attributes.map(({ name }) => name)

/** All choices of k attributes, each kept in the universe's order together with those that are always there. */
function combinations<A extends Named>(from: readonly A[], k: number, always: readonly A[] = []): A[][] {
  const most = from.length + always.length
  if (!Number.isInteger(k) || k < 1 || k > from.length)
    throw usage(`the number of ways must be a whole number from 1 to ${most}`, 'With 2, all pairs of attributes.')
  refuseCells(always.reduce((n, { size }) => n * size, 1) * cellsOfAll(from, k))
  const count = choose(from.length, k)
  if (count > maxMarginals) throw tooMany(count)
  const found: A[][] = []
  const chosen: A[] = []
  const extend = (start: number) => {
    if (chosen.length === k) found.push([...always, ...chosen])
    else
      for (let i = start; i <= from.length - (k - chosen.length); i++) {
        chosen.push(from[i]!)
        extend(i + 1)
        chosen.pop()
      }
  }
  extend(0)
  return found
}

/**
 * Cells of all k-way marginals together, without listing them: the k-th elementary symmetric polynomial of the sizes.
 */
function cellsOfAll(attributes: readonly Named[], k: number): number {
  const sums = new Float64Array(k + 1)
  sums[0] = 1
  for (const { size } of attributes) for (let i = k; i >= 1; i--) sums[i]! += size * sums[i - 1]!
  return sums[k]!
}

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)

function refuseCells(cells: number): void {
  if (cells > maxAnswerSize) throw tooMuch('cells', cells, maxAnswerSize)
}

const tooMany = (count: number) => tooMuch('marginals', count, maxMarginals)

function tooMuch(what: 'cells' | 'marginals', count: number, most: number): ReticentError {
  const [has, may] = [count, most].map((value) => value.toLocaleString('en'))
  const these = what === 'cells' ? `these marginals would have ${has} cells together` : `these are ${has} marginals`
  return problem(
    'query-invalid',
    `${these}, more than ${may}`,
    'Ask for fewer ways, or list the marginals that matter.',
    { [what]: count, most },
  )
}
