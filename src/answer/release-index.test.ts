import { expect, test } from 'vitest'
import { one, rational } from '../numeric/index.ts'
import { keptKey, type LinearQuery } from '../query/index.ts'
import type { Release } from '../trusted/ledger/index.ts'
import { ReleaseIndex } from './release-index.ts'

const from = (code: number): LinearQuery => ({
  by: [],
  step: one,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from: code, to: 9 } } }],
})
const law = { kind: 'laplace', scale: rational(10) } as const
const bought = (seq: number, state: Release['state'], ...codes: number[]) =>
  ({
    seq,
    state,
    charges: codes.map((code) => ({ kind: 'measurement', query: from(code), law })),
    measurements: state === 'recorded' ? codes.map((code) => ({ id: `${seq}.${code}`, query: from(code), law })) : [],
  }) as unknown as Release
const choice = (seq: number) =>
  ({ seq, state: 'recorded', charges: [{ kind: 'selection' }], measurements: [] }) as unknown as Release

test('finds purchases by their queries as the book grows, is closed and begins an epoch', () => {
  const book = { releases: [] as Release[], epochs: 1, head: { seq: 0, hash: '' } }
  const grow = (...releases: Release[]) => Object.assign(book, { releases, head: { ...book.head } })
  const about = (...codes: number[]) =>
    ReleaseIndex.of(book)
      .about(codes.map((code) => keptKey(from(code))))
      .map(({ seq, state }) => `${seq} ${state}`)
  const open = () => ReleaseIndex.of(book).open.map(({ seq }) => seq)
  expect([about(1), open()]).toEqual([[], []])
  const first = bought(2, 'recorded', 1, 2)
  // A run says what it is of once it is closed.
  grow(first, bought(3, 'open', 1), bought(4, 'open'))
  expect([about(1), about(2), about(3), about(2, 1)]).toEqual([
    ['2 recorded', '3 open'],
    ['2 recorded'],
    [],
    ['2 recorded', '3 open'],
  ])
  expect(open()).toEqual([3, 4])
  const many = bought(6, 'recorded', ...Array(65).keys())
  grow(first, bought(3, 'recorded', 1), bought(4, 'recorded', 3), choice(5), many)
  expect([about(1), about(3)]).toEqual([
    ['2 recorded', '3 recorded', '5 recorded', '6 recorded'],
    ['4 recorded', '5 recorded', '6 recorded'],
  ])
  expect(open()).toEqual([])
  book.epochs = 2
  grow(bought(8, 'recorded', 3))
  expect([about(1), about(3)]).toEqual([[], ['8 recorded']])
})

test('finds measurements once they are recorded, and a public number of records, until another epoch begins', () => {
  const book = { releases: [] as Release[], epochs: 1, head: { seq: 0, hash: '' } }
  const grow = (...releases: Release[]) => Object.assign(book, { releases, head: { ...book.head } })
  const found = (id: string) => ReleaseIndex.of(book).measurement(id)?.id
  const all = { by: [], step: one, terms: [{ coefficient: 1, factors: {} }] }
  const counting = { id: '4.0', query: all, law: { kind: 'none' }, values: Float64Array.of(77) }
  grow(bought(2, 'recorded', 1), bought(3, 'open', 2))
  expect([found('2.1'), found('3.2'), ReleaseIndex.of(book).publicRecords]).toEqual(['2.1', undefined, Infinity])
  const counted = { seq: 4, state: 'recorded', charges: [], measurements: [counting] } as unknown as Release
  grow(bought(2, 'recorded', 1), bought(3, 'recorded', 2), counted)
  expect([found('2.1'), found('3.2'), ReleaseIndex.of(book).publicRecords]).toEqual(['2.1', '3.2', 77])
  Object.assign(book, { epochs: 2 })
  grow()
  expect([found('2.1'), ReleaseIndex.of(book).publicRecords]).toEqual([undefined, Infinity])
})
