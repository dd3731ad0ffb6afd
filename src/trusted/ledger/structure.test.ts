import { describe, expect, test } from 'vitest'
import { attributes, bySex, count, create, laplace, reserve } from '../../../test/contract/ledger-rows.ts'
import { rational, type Spans } from '../../numeric/index.ts'
import { marginal } from '../../query/index.ts'
import type { Row, RunOpen, Sold } from './rows/row.ts'
import { measurementId, Structure, verifyRows } from './structure.ts'

const one = Float64Array.of(7)
const two = Float64Array.of(3, 4)
const record = (paidBy: number, ...values: Float64Array[]): Row => ({ kind: 'record', reserve: paidBy, values })
const refine = (parent: string, law = laplace(5)): Row => ({
  kind: 'refine',
  analyst: null,
  statement: null,
  parent,
  law,
})
const cancel = (paidBy: number): Row => ({ kind: 'void', reserve: paidBy })
const epoch: Row = { kind: 'epoch', attributes, fingerprint: 'e' }
const cap = (epsilon: number, delta = 0): Row => ({ kind: 'cap', epsilon: rational(epsilon), delta: rational(delta) })
const runOpen: RunOpen = {
  kind: 'run-open',
  analyst: null,
  statement: null,
  epsilon: rational(1, 2),
  queries: [bySex.query, count.query],
  grid: { first: rational(10), step: rational(5), count: 2 },
}
const runClose = (open: number, purchases = [bySex, count], values = [two, one]): Row => ({
  kind: 'run-close',
  open,
  purchases,
  values,
})

/** The rows after a creation (which is row 1), and whether the last of them fits; those before it must. */
function fits(...rows: Row[]): boolean {
  const structure = new Structure()
  const faults = [create, ...rows].map((row, i) => structure.accept(i + 1, row))
  expect(faults.slice(0, -1).filter((fault) => fault !== undefined)).toEqual([])
  return faults.at(-1) === undefined
}

describe('what may come next in a ledger', () => {
  test('a creation comes first, and only first', () => {
    expect(new Structure().fault(create)).toBeUndefined()
    for (const row of [reserve(count), epoch, cap(1)]) expect(new Structure().fault(row)).toBeDefined()
    expect(fits(create)).toBe(false)
  })

  test('a cap is a positive ε and a probability', () => {
    expect(fits(cap(2))).toBe(true)
    for (const bad of [cap(0), cap(-1), cap(1, -1), cap(1, 1)]) expect(fits(bad)).toBe(false)
    const privacy = { ...create.privacy, epsilon: rational(0) }
    expect(new Structure().fault({ ...create, privacy })).toBeDefined()
  })

  test('a reservation buys something, with noise, about known attributes', () => {
    expect(fits(reserve(count, bySex))).toBe(true)
    expect(fits(reserve())).toBe(false)
    expect(fits(reserve({ ...count, law: laplace(0) }))).toBe(false)
    expect(fits(reserve({ ...count, law: laplace(-1) }))).toBe(false)
    expect(fits(reserve({ ...count, law: { kind: 'gaussian', variance: rational(0) } }))).toBe(false)
    expect(fits(reserve({ ...count, law: { kind: 'none' } }))).toBe(true)
    expect(fits(reserve({ ...count, query: marginal(['height']) }))).toBe(false)
    expect(fits(reserve({ ...count, query: { ...count.query, step: rational(0) } }))).toBe(false)
  })

  test('a record answers one waiting reservation, number for number', () => {
    const paid = reserve(count, bySex)
    expect(fits(paid, record(2, one, two))).toBe(true)
    expect(fits(paid, record(2, one))).toBe(false)
    expect(fits(paid, record(2, two, one))).toBe(false)
    expect(fits(paid, record(2, one, two, one))).toBe(false)
    expect(fits(paid, record(1, one, two))).toBe(false)
    expect(fits(paid, record(3, one, two))).toBe(false)
    expect(fits(paid, record(2, one, two), record(2, one, two))).toBe(false)
    expect(fits(paid, cancel(2), record(2, one, two))).toBe(false)
    expect(fits(runOpen, record(2, two, one))).toBe(false)
  })

  test('a void ends one waiting reservation', () => {
    expect(fits(reserve(count), cancel(2))).toBe(true)
    expect(fits(reserve(count), cancel(2), cancel(2))).toBe(false)
    expect(fits(reserve(count), record(2, one), cancel(2))).toBe(false)
    expect(fits(cancel(1))).toBe(false)
    expect(fits(runOpen, cancel(2))).toBe(false)
  })

  test('a refinement has a recorded parent that has no other, and lowers its scale', () => {
    const paid = [reserve(count, bySex), record(2, one, two)]
    expect(fits(...paid, refine('2.1'))).toBe(true)
    expect(fits(...paid, refine('2.2'))).toBe(false)
    expect(fits(...paid, refine('1.0'))).toBe(false)
    expect(fits(reserve(count), refine('2.0'))).toBe(false)
    expect(fits(...paid, refine('2.1'), refine('2.1', laplace(2)))).toBe(false)
    expect(fits(...paid, refine('2.1'), refine('2.0'))).toBe(true)
    for (const law of [laplace(10), laplace(11), laplace(0), laplace(-1), { kind: 'none' } as const])
      expect(fits(...paid, refine('2.1', law))).toBe(false)
    const exact = { ...count, law: { kind: 'none' } as const }
    expect(fits(reserve(exact), record(2, one), refine('2.0'))).toBe(false)
  })

  test('the next refinement refines the child, once that is recorded', () => {
    const refined = [reserve(bySex), record(2, two), refine('2.0')]
    expect(fits(...refined, record(4, one))).toBe(false)
    expect(fits(...refined, record(4, two))).toBe(true)
    expect(fits(...refined, refine('4.0', laplace(2)))).toBe(false)
    expect(fits(...refined, record(4, two), refine('4.0', laplace(2)))).toBe(true)
    expect(fits(...refined, record(4, two), refine('4.0', laplace(5)))).toBe(false)
    expect(fits(...refined, cancel(4), refine('2.0', laplace(2)))).toBe(false)
    expect(measurementId(4, 0)).toBe('4.0')
  })

  test('a run reserves ε for queries on a descending grid', () => {
    expect(fits(runOpen)).toBe(true)
    expect(fits({ ...runOpen, epsilon: rational(0) })).toBe(false)
    expect(fits({ ...runOpen, queries: [] })).toBe(false)
    expect(fits({ ...runOpen, queries: [marginal(['height'])] })).toBe(false)
    expect(fits({ ...runOpen, grid: null })).toBe(true)
    const wrong = [{ count: 0 }, { count: 3 }, { step: rational(0) }, { step: rational(-1) }]
    for (const part of wrong) expect(fits({ ...runOpen, grid: { ...runOpen.grid!, ...part } })).toBe(false)
  })

  test('a run closes once, on its queries, on its grid', () => {
    expect(fits(runOpen, runClose(2))).toBe(true)
    expect(fits(runOpen, runClose(2, [bySex, { ...count, law: laplace(5) }]))).toBe(true)
    // What a run has looked at it has paid for: it cannot close on less.
    expect(fits(runOpen, runClose(2, [count], [one]))).toBe(false)
    expect(fits(runOpen, runClose(2, [], []))).toBe(false)
    expect(fits(runOpen, runClose(2, [count, bySex], [one, two]))).toBe(false)
    expect(fits(runOpen, runClose(2, [count, count], [one, one]))).toBe(false)
    expect(fits(runOpen, runClose(2, [bySex, { ...count, query: marginal(['age']) }]))).toBe(false)
    expect(fits(runOpen, runClose(2, [bySex, { ...count, law: laplace(4) }]))).toBe(false)
    expect(fits(runOpen, runClose(2, [bySex, { ...count, law: { kind: 'none' } }]))).toBe(false)
    expect(fits(runOpen, runClose(2, [bySex, count], [two, two]))).toBe(false)
    expect(fits(runOpen, runClose(2, [bySex, count], [two]))).toBe(false)
    expect(fits(runOpen, runClose(3))).toBe(false)
    expect(fits(runOpen, runClose(2), runClose(2))).toBe(false)
    expect(fits(runOpen, runClose(2), refine('2.0'))).toBe(true)
  })

  test('without a grid a run closes on answers to its queries, as many as it has given', () => {
    const draws: RunOpen = { ...runOpen, grid: null }
    const sharp = { ...count, law: laplace(3) }
    expect(fits(draws, runClose(2))).toBe(true)
    expect(fits(draws, runClose(2, [], []))).toBe(true)
    expect(fits(draws, runClose(2, [count, sharp, count], [one, one, one]))).toBe(true)
    expect(fits(draws, runClose(2, [count, sharp], [one]))).toBe(false)
    expect(fits(draws, runClose(2, [count], [two]))).toBe(false)
    expect(fits(draws, runClose(2, [{ ...count, query: marginal(['age']) }], [one]))).toBe(false)
    expect(fits(draws, runClose(2, [{ ...count, law: { kind: 'none' } }], [one]))).toBe(false)
    expect(fits(draws, runClose(2, [{ ...count, law: laplace(0) }], [one]))).toBe(false)
    expect(fits(draws, runClose(2), runClose(2))).toBe(false)
    expect(fits(draws, runClose(2, [count, sharp], [one, one]), refine('2.1', laplace(2)))).toBe(true)
  })

  describe('a run without a grid', () => {
    const draws: RunOpen = { ...runOpen, grid: null }
    const { epsilon: _, ...unheld } = draws
    const inRho: RunOpen = { ...unheld, rho: rational(1, 10) }
    const gaussian = { kind: 'gaussian', variance: rational(9) } as const
    const choice = { kind: 'selection', candidates: [[0, 1]], weights: null, rate: rational(1, 4) } as const
    const score = { kind: 'score', query: 1, law: laplace(3) } as const
    const closes = (run: RunOpen, sold: readonly Sold[], values = sold.map(() => Float64Array.of(1))) =>
      fits(run, { kind: 'run-close', open: 2, purchases: sold, values })

    test('holds ε or ρ, above 0, and ρ without a grid only', () => {
      expect(fits(inRho)).toBe(true)
      expect(fits({ ...inRho, rho: rational(0) })).toBe(false)
      expect(fits({ ...inRho, grid: runOpen.grid })).toBe(false)
    })
    test('closes on the noise of what it holds', () => {
      expect(closes(inRho, [{ ...count, law: gaussian }])).toBe(true)
      expect(closes(inRho, [count])).toBe(false)
      expect(closes(draws, [{ ...count, law: gaussian }])).toBe(false)
      expect(closes(inRho, [{ ...score, law: gaussian }, choice])).toBe(true)
      expect(closes(inRho, [score])).toBe(false)
      expect(closes(draws, [{ ...score, law: laplace(0) }])).toBe(false)
    })
    test('closes on choices among its queries', () => {
      expect(closes(draws, [choice, count, score])).toBe(true)
      expect(closes(draws, [{ ...choice, weights: [3, 1] }])).toBe(true)
      const wrong: Spans[] = [
        [[1, 0]],
        [
          [1, 1],
          [0, 0],
        ],
        [
          [0, 0],
          [1, 1],
        ],
        [
          [1, 1],
          [1, 1],
        ],
        [[0, 2]],
        [],
        [[0, 0]],
      ]
      const parts = [...wrong.map((candidates) => ({ candidates })), { weights: [1] }, { rate: rational(0) }]
      for (const part of parts) expect(closes(draws, [{ ...choice, ...part }])).toBe(false)
      expect(closes(draws, [choice], [Float64Array.of(2)])).toBe(false)
      expect(closes(draws, [choice], [Float64Array.of(1, 1)])).toBe(false)
      expect(closes(draws, [{ ...score, query: 2 }])).toBe(false)
      expect(closes(runOpen, [choice, score])).toBe(false)
    })
    test('leaves answers to refine, and nothing else', () => {
      const close: Row = { kind: 'run-close', open: 2, purchases: [choice, count, score], values: [one, one, one] }
      const closed = { ...close, values: [Float64Array.of(0), one, one] }
      expect(fits(draws, closed, refine('2.1'))).toBe(true)
      for (const id of ['2.0', '2.2']) expect(fits(draws, closed, refine(id))).toBe(false)
    })
  })

  test('an epoch retires what came before it', () => {
    expect(fits(reserve(count), epoch, record(2, one))).toBe(false)
    expect(fits(reserve(count), epoch, cancel(2))).toBe(false)
    expect(fits(reserve(count), record(2, one), epoch, refine('2.0'))).toBe(false)
    expect(fits(runOpen, epoch, runClose(2))).toBe(false)
    expect(fits(epoch, reserve(bySex), record(3, two), refine('3.0'))).toBe(true)
    const fewer: Row = { ...epoch, attributes: attributes.slice(1) }
    expect(fits(fewer, reserve(bySex))).toBe(false)
  })

  test('a row that does not fit leaves no trace', () => {
    const structure = new Structure()
    const rows = [create, reserve(bySex), record(2, one), record(2, two), refine('2.0', laplace(20)), refine('2.0')]
    const faults = rows.map((row, i) => structure.accept(i + 1, row) !== undefined)
    expect(faults).toEqual([false, false, true, false, true, false])
  })

  test('verifyRows names each row that does not fit', () => {
    const rows = [create, reserve(count), cancel(9), record(2, one), create]
    const stored = rows.map((row, i) => ({ seq: i + 1, hash: '', at: '', row }))
    expect(verifyRows(stored).map(({ seq }) => seq)).toEqual([3, 5])
    expect(verifyRows(stored.slice(0, 2))).toEqual([])
  })
})
