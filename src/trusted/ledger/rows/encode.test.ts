import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyRow, anyRowOf } from '../../../../test/contract/any-row.ts'
import { bySex, create, reserve } from '../../../../test/contract/ledger-rows.ts'
import { decodeRow } from './decode.ts'
import { encodeRow } from './encode.ts'
import type { Row } from './row.ts'

const corrupt = expect.objectContaining({ code: 'ledger-corrupt' })
type Json = { [name: string]: Json } | Json[] | string | number | boolean | null

describe('a row as text and bytes', () => {
  for (const [kind, rows] of Object.entries(anyRowOf)) {
    test(`${kind} comes back as it was`, () => {
      fc.assert(
        fc.property(rows as fc.Arbitrary<Row>, (row) => {
          const encoded = encodeRow(row)
          expect(decodeRow(encoded)).toEqual(row)
          // Canonical: what was read is written as it stood.
          expect(encodeRow(decodeRow(encoded))).toEqual(encoded)
        }),
      )
    })
  }
})

/** Every object inside a JSON value, itself included. */
function objects(json: Json): { [name: string]: Json }[] {
  if (json === null || typeof json !== 'object') return []
  const inside = Object.values(json).flatMap(objects)
  return Array.isArray(json) ? inside : [json, ...inside]
}

test('runs written before anything but answers was sold are read as they were', () => {
  const open =
    '{"analyst":null,"epsilon":"3/10","grid":null,"kind":"run-open","queries":[{"by":[],"step":"1","terms":[{"coefficient":1,"factors":{}}]}],"statement":null}'
  const close =
    '{"kind":"run-close","open":2,"purchases":[{"law":{"kind":"laplace","scale":"10"},"query":{"by":[],"step":"1","terms":[{"coefficient":1,"factors":{}}]}}]}'
  const { blob } = encodeRow({ kind: 'run-close', open: 2, purchases: [], values: [Float64Array.of(7)] })
  const opened = decodeRow({ body: open, blob: new Uint8Array() })
  const closed = decodeRow({ body: close, blob })
  expect(opened).toMatchObject({ kind: 'run-open', epsilon: { num: 3n, den: 10n }, grid: null })
  expect(closed).toMatchObject({ kind: 'run-close', purchases: [{ law: { kind: 'laplace' } }] })
  expect([encodeRow(opened).body, encodeRow(closed).body]).toEqual([open, close])
})

describe('a row that this version did not write is refused:', () => {
  const { body, blob } = encodeRow(reserve(bySex))
  const spoilt = (change: (json: { [name: string]: Json }) => void, text = body) => {
    const json = JSON.parse(text)
    change(json)
    return { body: JSON.stringify(json), blob }
  }

  test('an unknown field, at whatever depth', () => {
    for (const text of [body, encodeRow(create).body]) {
      const count = objects(JSON.parse(text)).length
      expect(count).toBeGreaterThan(3)
      for (let i = 0; i < count; i++) {
        const row = spoilt((json) => Object.assign(objects(json)[i]!, { more: 1 }), text)
        expect(() => decodeRow(row), row.body).toThrow(corrupt)
      }
    }
  })

  test('a missing field', () => {
    fc.assert(
      fc.property(anyRow(), fc.nat(), (row, at) => {
        const { body, blob } = encodeRow(row)
        const fields = Object.entries(JSON.parse(body))
        fields.splice(at % fields.length, 1)
        expect(() => decodeRow({ body: JSON.stringify(Object.fromEntries(fields)), blob })).toThrow(corrupt)
      }),
    )
  })

  test('a field of another type', () => {
    fc.assert(
      fc.property(anyRow(), fc.nat(), (row, at) => {
        const { body, blob } = encodeRow(row)
        const fields = Object.entries<Json>(JSON.parse(body))
        const field = fields[at % fields.length]!
        // null stands for a text that was not given.
        const type = field[1] === null ? 'string' : Array.isArray(field[1]) ? 'list' : typeof field[1]
        for (const other of [7.5, '½', {}, true].filter((o) => typeof o !== type)) {
          field[1] = other as Json
          expect(() => decodeRow({ body: JSON.stringify(Object.fromEntries(fields)), blob })).toThrow(corrupt)
        }
      }),
    )
  })

  test('an unknown kind, even one that objects have by nature', () => {
    for (const kind of ['refund', 'toString', '__proto__', 'constructor', '', null, 1])
      expect(() => decodeRow(spoilt((json) => Object.assign(json, { kind })))).toThrow(corrupt)
  })

  test('a fraction that is not in lowest terms', () => {
    const half = encodeRow({ kind: 'cap', epsilon: { num: 1n, den: 2n }, delta: { num: 0n, den: 1n } })
    expect(() => decodeRow({ ...half, body: half.body.replace('1/2', '2/4') })).toThrow(corrupt)
    expect(() => decodeRow({ ...half, body: half.body.replace('1/2', '0.5') })).toThrow(corrupt)
  })

  test('bytes where there are no values, none where there are', () => {
    expect(() => decodeRow({ body, blob: Uint8Array.of(0) })).toThrow(corrupt)
    const record = encodeRow({ kind: 'record', reserve: 2, values: [] })
    expect(() => decodeRow({ ...record, blob: new Uint8Array() })).toThrow(corrupt)
  })

  test('text that is not JSON, or too deep', () => {
    for (const text of ['', '{', 'null', '[]', '{"kind":"cap"', '['.repeat(200_000)])
      expect(() => decodeRow({ body: text, blob })).toThrow(corrupt)
  })
})
