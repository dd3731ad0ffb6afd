import { compare, one, type Rational, rational, zero } from '../../numeric/index.ts'
import type { Guard, Neighbours, Privacy, Source, Unit } from '../policy.ts'
import type { Entry, Reading } from './reading.ts'

/** A budget is counted in units of 10^-12. */
const [leastEpsilon, largestEpsilon] = [rational(1, 10n ** 12n), rational(1000)]
const positive = (value: Rational) => value.num > 0n
const budget = 'a number from 1e-12 to 1000'
const isBudget = (value: Rational) => compare(value, leastEpsilon) >= 0 && compare(value, largestEpsilon) <= 0

const keys = { unit: 'row, or { column: …, rows: … }', epsilon: `the whole privacy budget, ${budget}` }

export function readPrivacy(reading: Reading, entry: Entry, source: Source | undefined): Privacy | undefined {
  const fields = reading.fields(entry, keys, ['neighbours', 'delta', 'composition', 'analysts'])
  if (!fields) return undefined
  const at = (key: string) => fields.get(key)
  const unit = at('unit') && readUnit(reading, at('unit')!)
  const neighbours = at('neighbours') ? readNeighbours(reading, at('neighbours')!, unit, source) : 'add-remove'
  const epsilon = at('epsilon') && reading.number(at('epsilon')!, budget, isBudget)
  const delta = at('delta')
    ? reading.number(at('delta')!, 'a number from 0 to below 1', (d) => d.num >= 0n && d.num < d.den)
    : zero
  const composition = readComposition(reading, at('composition'), delta)
  const analysts = at('analysts') && readAnalysts(reading, at('analysts')!)
  if (!unit || !neighbours || !epsilon || !delta || !composition) return undefined
  return { unit, neighbours, epsilon, delta, composition, ...(analysts && { analysts }) }
}

function readUnit(reading: Reading, entry: Entry): Unit | undefined {
  if (!reading.isMap(entry)) return reading.word(entry, ['row']) && { kind: 'row' }
  const fields = reading.fields(
    entry,
    { column: 'the column that identifies a person', rows: 'how many rows of one person count' },
    [],
  )
  const column = fields?.get('column') && reading.text(fields.get('column')!, 'the name of a column')
  const whole = (r: Rational) => r.den === 1n && positive(r) && r.num <= 1_000_000n
  const rows = fields?.get('rows') && reading.number(fields.get('rows')!, 'a whole number from 1 to 1000000', whole)
  return column === undefined || !rows ? undefined : { kind: 'column', column, rows: Number(rows.num) }
}

/** Replacing one row leaves the number of rows as it is: only where one record is one row of the owner's own table. */
function readNeighbours(
  reading: Reading,
  entry: Entry,
  unit: Unit | undefined,
  source: Source | undefined,
): Neighbours | undefined {
  const word = reading.word(entry, ['add-remove', 'replace-one'])
  if (word !== 'replace-one') return word
  if (unit?.kind === 'column') return reading.mistake(entry, 'replace-one needs unit: row')
  if (source?.sql !== undefined) return reading.mistake(entry, 'replace-one does not go with sql: in the source')
  return word
}

function readComposition(reading: Reading, entry: Entry | undefined, delta: Rational | undefined) {
  if (!entry) return delta && positive(delta) ? 'zcdp' : 'pure'
  const word = reading.word(entry, ['pure', 'zcdp'])
  if (word === 'zcdp' && delta && !positive(delta)) return reading.mistake(entry, 'zcdp needs a delta above 0')
  return word
}

function readAnalysts(reading: Reading, entry: Entry): ReadonlyMap<string, Rational> | undefined {
  const caps = new Map<string, Rational>()
  const named = reading.map(entry, 'a map from names to caps')
  if (named?.size === 0)
    return reading.mistake(entry, 'expected at least one analyst; without this key anybody may ask')
  for (const [name, at] of named ?? []) {
    if (name === '') reading.mistake(at, 'an analyst needs a name')
    const cap = reading.number(at, budget, isBudget)
    if (cap) caps.set(name, cap)
  }
  return caps
}

const guardKeys = { query: 'a SELECT', within: 'a number above 0', confidence: 'a number between 0 and 1' }

export function readGuards(reading: Reading, entry: Entry): Guard[] {
  const guards: Guard[] = []
  for (const item of reading.items(entry, 'a list of guards') ?? []) {
    const fields = reading.fields(item, guardKeys, [])
    const at = (key: string) => fields?.get(key)
    const query = at('query') && reading.text(at('query')!, guardKeys.query)
    const within = at('within') && reading.number(at('within')!, guardKeys.within, positive)
    const confidence =
      at('confidence') &&
      reading.number(at('confidence')!, guardKeys.confidence, (c) => positive(c) && compare(c, one) < 0)
    if (query !== undefined && within && confidence) guards.push({ query, within, confidence })
  }
  return guards
}
