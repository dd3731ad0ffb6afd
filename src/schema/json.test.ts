import fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, multiply, rational } from '../numeric/index.ts'
import { type Attribute, type AttributeDescription, attribute } from './attribute.ts'
import { attributesFromJson, attributesToJson } from './json.ts'

const common = { name: fc.string({ minLength: 1 }).filter((n) => !(n in {})), closed: fc.boolean() }
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((d) => d.toISOString().slice(0, 10))
const description: fc.Arbitrary<AttributeDescription> = fc.oneof(
  fc.record({ kind: fc.constant('boolean' as const), ...common }),
  fc
    .record({ ...common, low: fc.integer(), width: fc.nat(1000) })
    .map(({ width, ...a }) => ({ kind: 'integer' as const, ...a, high: a.low + width })),
  fc
    .record({ ...common, low: fc.integer(), parts: fc.nat(1000), tenths: fc.integer({ min: 1, max: 99 }) })
    .map(({ parts, tenths, low, ...a }) => {
      const step = rational(tenths, 10)
      return {
        kind: 'decimal' as const,
        ...a,
        low: rational(low),
        step,
        high: add(rational(low), multiply(step, rational(parts))),
      }
    }),
  fc
    .record({
      ...common,
      low: fc.integer(),
      bins: fc.integer({ min: 1, max: 99 }),
      even: fc.boolean(),
      stated: fc.boolean(),
    })
    .map(({ low, bins, even, stated, ...a }) => {
      const all = Array.from({ length: bins + 1 }, (_, i) => rational(2 * low + i, 2))
      const [width, edges] = even ? [rational(1, 2), []] : [null, all]
      const bounds = { low: all[0]!, high: all.at(-1)! }
      return { kind: 'bins' as const, ...a, ...bounds, width, edges, stated: stated ? all.slice(1) : [] }
    }),
  fc.record({
    kind: fc.constant('values' as const),
    ...common,
    values: fc.uniqueArray(fc.string(), { minLength: 1 }),
    other: fc.boolean(),
  }),
  fc.record({ ...common, days: fc.tuple(day, day), by: fc.constantFrom('month', 'year') }).map(({ days, ...a }) => {
    const [from, to] = days.toSorted() as [string, string]
    return { kind: 'date' as const, ...a, from, to, format: 'DD/MM/YYYY' }
  }),
)
const attributes: fc.Arbitrary<Attribute[]> = fc
  .uniqueArray(description, { minLength: 1, selector: (a) => a.name })
  .map((all) => all.map(attribute))

test('attributes survive being stored', () => {
  fc.assert(
    fc.property(attributes, (all) => {
      expect(attributesFromJson(JSON.parse(JSON.stringify(attributesToJson(all))))).toEqual(all)
    }),
  )
})

const age = { kind: 'integer', name: 'age', closed: true, low: 0, high: 9 }
const pay = { kind: 'decimal', name: 'pay', closed: true, low: '0', high: '1', step: '1/2' }
const sex = { kind: 'values', name: 'sex', closed: true, values: ['F', 'M'], other: false }
const born = {
  kind: 'date',
  name: 'born',
  closed: true,
  from: '2000-01-01',
  to: '2001-01-01',
  by: 'day',
  format: 'YYYY-MM-DD',
}

test('these are right', () => expect(attributesFromJson([age, pay, sex, born])).toHaveLength(4))

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['no list', age],
  ['no attribute', []],
  ['a text', ['age']],
  ['a kind of its own', [{ ...age, kind: 'float' }]],
  ['a kind that objects inherit', [{ ...age, kind: 'constructor' }]],
  ['a key too many', [{ ...age, clamp: false }]],
  ['the same name twice', [age, age]],
  ['a name that objects inherit', [{ ...age, name: '__proto__' }]],
  ['no closed', [{ ...age, closed: undefined }]],
  ['a bound that is no integer', [{ ...age, high: 9.5 }]],
  ['bounds in disorder', [{ ...age, high: -1 }]],
  ['too many codes', [{ ...age, high: 2 ** 40 }]],
  ['a number for a fraction', [{ ...pay, step: 0.5 }]],
  ['a step of 0', [{ ...pay, step: '0' }]],
  ['a step that does not fit', [{ ...pay, step: '2/3' }]],
  ['a value twice', [{ ...sex, values: ['F', 'F'] }]],
  ['no value', [{ ...sex, values: [] }]],
  ['a value that is no text', [{ ...sex, values: [1] }]],
  ['a day that is none', [{ ...born, from: '2000-02-30' }]],
  ['another unit of time', [{ ...born, by: 'week' }]],
  ['a format without days', [{ ...born, format: 'YYYY-MM' }]],
])('%s is refused', (_, value) => expect(() => attributesFromJson(value)).toThrow('stored attributes cannot be read'))
