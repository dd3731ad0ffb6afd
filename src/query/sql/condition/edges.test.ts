import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add,
  compare,
  multiply,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
  toText,
} from '../../../numeric/index.ts'
import {
  type Attribute,
  attribute,
  type BinsAttribute,
  binEdge,
  daysAt,
  decimalText,
  knownCodes,
  type ReticentError,
  sumValue,
  universe,
} from '../../../schema/index.ts'
import { describe as inWords } from '../../describe.ts'
import { factorAt, weightAt } from '../../linear-query.ts'
import { parseSql } from '../parse.ts'

const number = (text: string): Rational => parseRational(text)!
const bins = (name: string, width: string | null, ...edges: string[]) =>
  attribute({
    kind: 'bins',
    name,
    low: number(edges[0]!),
    high: number(edges.at(-1)!),
    width: width === null ? null : number(width),
    edges: width === null ? edges.map(number) : [],
    stated: [],
    closed: false,
  })
const dates = (name: string, by: 'month' | 'year', from: string, to: string) =>
  attribute({ kind: 'date', name, from, to, by, format: 'YYYY-MM-DD', closed: false })
const u = universe([
  bins('price', '10', '0', '520'),
  bins('fare', null, '0', '0.01', '10', '20', '50', '600'),
  attribute({ kind: 'decimal', name: 'cost', low: rational(0), high: rational(520), step: rational(10), closed: true }),
  attribute({
    kind: 'decimal',
    name: 'cents',
    low: rational(0),
    high: rational(9),
    step: rational(1, 100),
    closed: true,
  }),
  attribute({ kind: 'integer', name: 'age', low: 0, high: 100, closed: false }),
  dates('born', 'year', '1899-07-01', '1905-12-31'),
  dates('seen', 'month', '2020-01-01', '2020-12-15'),
])

const read = (sql: string) => parseSql(sql, { dataset: 'people', universe: u })
const asked = (where: string) => read(`SELECT COUNT(*) FROM people WHERE ${where}`)
const refusal = (where: string): Promise<ReticentError> =>
  asked(where).then(
    () => expect.fail(where),
    (error) => error,
  )

describe('what would mean something else is refused, with what can be asked', () => {
  test.each([
    ['price BETWEEN 10 AND 50', 'Ask price < 50, or price < 60.'],
    ['price = 7.25', 'Ask price >= 0 AND price < 10.'],
    ['price <> 50', 'Ask NOT (price >= 50 AND price < 60).'],
    ['price IN (10, 20)', 'Ask price >= 10 AND price < 20.'],
    ['price > 0', 'Ask price >= 0, or price >= 10.'],
    ['price <= 5', 'Ask price < 10.'],
    ['price > 515', 'Ask price >= 510.'],
    ['price >= 520', 'Ask price >= 510.'],
    ['price < 0', 'Ask price < 10.'],
    ['fare < 7.25', 'Ask fare < 0.01, or fare < 10.'],
    ['fare = 0', 'Ask fare >= 0 AND fare < 0.01.'],
    ['cost = 7.25', 'Ask cost = 0, or cost = 10.'],
    ['cost < 7.25', 'Ask cost <= 0, or cost <= 10.'],
    ['cents = 7.255', 'Ask cents = 7.25, or cents = 7.26.'],
    ['age = 17.5', 'Ask age = 17, or age = 18.'],
    ['age = 150', 'Ask age = 100.'],
    ['age > 100', 'Ask age >= 100.'],
    ['age < 0', 'Ask age <= 0.'],
    ['age IN (3, 101)', 'Ask age = 100.'],
    ["born >= '1900-06-01'", "Ask born >= '1900-01-01', or born >= '1901-01-01'."],
    ["born < '1900-06-01'", "Ask born < '1900-01-01', or born < '1901-01-01'."],
    ["born = '1900-01-01'", "Ask born >= '1900-01-01' AND born < '1901-01-01'."],
    ["born > '1905-06-01'", "Ask born >= '1905-01-01'."],
    ["born > '1905-12-31'", "Ask born >= '1905-01-01'."],
    ["seen = '2020-12-01'", "Ask seen >= '2020-12-01' AND seen <= '2020-12-15'."],
    ['floor(price / 20) = 2.5', 'price goes from 0 to 520'],
    ['price * 1.19 < 20', 'Bounds and steps of price'],
    ['extract(month FROM born) = 6', 'Bounds and steps of born'],
    ['extract(day FROM seen) = 1', 'Bounds and steps of seen'],
  ])('%s', async (where, hint) => {
    const error = await refusal(where)
    expect(error).toMatchObject({ code: 'not-an-edge', hint: expect.stringContaining(hint) })
    const { nearest } = error.facts as { nearest: string[] }
    for (const condition of nearest) expect((await asked(condition)).parts.length, condition).toBeLessThanOrEqual(1)
  })

  test('groups that cut a bin or a month', async () => {
    const by = (key: string) => read(`SELECT COUNT(*) FROM people GROUP BY ${key}`)
    for (const key of ['floor(price / 15)', 'price * 2', 'extract(month FROM born)'])
      await expect(by(key)).rejects.toMatchObject({ code: 'not-an-edge' })
    expect((await by('floor(price / 20) * 20')).axes[0]!.labels.slice(0, 3)).toEqual([0, 20, 40])
    expect((await by('extract(quarter FROM seen)')).axes[0]!.labels).toEqual([1, 2, 3, 4, null])
  })

  test('a function of an attribute with itself, where it changes within a bin', async () => {
    await expect(asked('price * price < 100')).rejects.toMatchObject({ code: 'not-an-edge' })
    expect((await asked('12 * extract(year FROM seen) + extract(month FROM seen) = 24243')).parts).toHaveLength(1)
  })
})

test('a bound says in words how it acts on the data', async () => {
  const words = async (where: string) => inWords((await asked(where)).parts[0]!, u)
  expect(await words('price >= 10 AND price < 50')).toBe('count where 10 ≤ price < 50')
  expect(await words("born < '1901-01-01'")).toBe('count where born 1899-07-01 … 1900-12-31')
  expect(await words("date_trunc('month', seen) = '2020-12-01'")).toBe('count where seen 2020-12-01 … 2020-12-15')
})

test('a sum takes the middles of bins, or what the policy states, and says how far that can be off', async () => {
  const sum = await read('SELECT SUM(price), AVG(price) FROM people WHERE price >= 10 AND price < 30')
  expect(sum.notes).toEqual([
    'price counts as the middle of its bin, off by up to 5 per record; intervals leave that out',
  ])
  const plain = sum.parts[0]!
  expect([weightAt(plain, u, cell('price', 1)), weightAt(plain, u, cell('price', 2)), toText(plain.step)]).toEqual([
    3,
    5,
    '5',
  ])
  const uneven = await read('SELECT SUM(fare), VAR_POP(fare) FROM people')
  expect(uneven.notes).toEqual([
    'fare counts as the middle of its bin, off by up to 275 per record; intervals leave that out',
  ])
  const values = [0, 1, 2, 3, 4, 5].map((code) => weightAt(uneven.parts[0]!, u, cell('fare', code)))
  expect(values.map((v) => v * toNumber(uneven.parts[0]!.step))).toEqual([0.005, 5.005, 15, 35, 325, 0])
  const average = await read("SELECT AVG(fare) FROM people WHERE fare < 50 AND born < '1901-01-01'")
  const total = average.parts[0]!
  const centred = [0, 1, 2, 3, 4].map((code) => weightAt(total, u, cell('fare', code)) * toNumber(total.step))
  expect(centred).toEqual([-17.4975, -12.4975, -2.5025, 17.4975, 0])
  expect((await asked('price >= 10')).notes).toBeUndefined()
})

/** A cell with this code, and the first code of all other attributes. */
const cell = (name: string, code: number) => u.attributes.map((a) => (a.name === name ? code : 0))

test('bins sort by where they are, and a key of theirs is compared in WHERE', async () => {
  const { axes } = await read('SELECT price, COUNT(*) FROM people GROUP BY price ORDER BY price')
  expect(axes[0]).toMatchObject({ inOrder: true, labels: expect.arrayContaining(['[0, 10)', '[100, 110)', null]) })
  await expect(read('SELECT price, COUNT(*) FROM people GROUP BY price HAVING price >= 10')).rejects.toThrow('ranges')
})

/** Values that a code may stand for, its first and its last among them. */
function rawValues(a: Attribute, code: number): (Rational | string)[] {
  if (a.kind === 'date') {
    const [first, last] = daysAt(a, code)
    const middle = new Date((Date.parse(first) + Date.parse(last)) / 2).toISOString().slice(0, 10)
    return [first, middle, last]
  }
  if (a.kind !== 'bins') return [sumValue(a, code)]
  const width = subtract(binEdge(a, code + 1), binEdge(a, code))
  const at = (share: Rational) => add(binEdge(a as BinsAttribute, code), multiply(width, share))
  return [rational(0), rational(1, 3), rational(1, 2), rational(99, 100), rational(10n ** 9n - 1n, 10n ** 9n)].map(at)
}
const order = (a: Rational | string, b: Rational | string) =>
  typeof a === 'string' ? (a < b ? -1 : a > b ? 1 : 0) : compare(a, b as Rational)
const operators: { readonly [operator: string]: (o: number) => boolean } = {
  '<': (o) => o < 0,
  '<=': (o) => o <= 0,
  '=': (o) => o === 0,
  '<>': (o) => o !== 0,
  '>=': (o) => o >= 0,
  '>': (o) => o > 0,
}

/** Constants near edges, on them, between them and outside. */
const constantFor = (a: Attribute): fc.Arbitrary<Rational | string> =>
  fc.tuple(fc.nat(knownCodes(a) - 1), fc.nat(9)).map(([code, which]) => {
    const values = rawValues(a, code).slice(0, 4)
    if (a.kind === 'date') return [...values, '1899-01-01', '1906-03-04', '2020-03-02'][which % 6]!
    return [...values, number('-1'), number('7.25'), number('1000'), number('50')][which % (values.length + 4)]!
  })

test('an accepted comparison is true or false of all that a code stands for; a refused one cannot be', async () => {
  const outcome = { accepted: 0, refused: 0 }
  const any = fc
    .constantFrom(...u.attributes)
    .chain((a) => fc.tuple(fc.constant(a), fc.constantFrom(...Object.keys(operators)), constantFor(a)))
  const agrees = async ([a, operator, constant]: [Attribute, string, Rational | string]) => {
    const literal = typeof constant === 'string' ? `'${constant}'` : decimalText(constant)
    fc.pre(!literal.includes('/'))
    const test = (raw: Rational | string) => operators[operator]!(order(raw, constant))
    const codes = Array.from({ length: knownCodes(a) }, (_, code) => code)
    const truths = codes.map((code) => new Set(rawValues(a, code).map(test)))
    const found = await asked(`${a.name} ${operator} ${literal}`).catch((error: ReticentError) => error)
    if ('code' in found) {
      outcome.refused++
      const isEmpty = truths.every((t) => t.has(operator === '<>') && t.size === 1)
      const off =
        a.kind === 'decimal' || a.kind === 'integer'
          ? codes.every((c) => order(sumValue(a, c), constant as Rational) !== 0)
          : false
      expect(found.code).toBe('not-an-edge')
      expect(truths.some((t) => t.size === 2) || isEmpty || off, `${a.name} ${operator} ${literal}`).toBe(true)
      return
    }
    outcome.accepted++
    const { factors } = found.parts[0]?.terms[0] ?? { factors: {} }
    const factor = factors[a.name]
    for (const code of codes) expect([...truths[code]!]).toEqual([factor ? factorAt(factor, code) === 1 : true])
  }
  await fc.assert(fc.asyncProperty(any, agrees), { numRuns: 1500 })
  expect(Math.min(outcome.accepted, outcome.refused)).toBeGreaterThan(200)
})
