import { expect, test } from 'vitest'
import { AlwaysWidths } from '../../src/answer/known/always.ts'
import { fromMeasurement } from '../../src/answer/known/known-part.ts'
import { seededBits } from '../../src/evaluation/index.ts'
import { laplaceHalfWidth, laplaceTail, rational } from '../../src/numeric/index.ts'
import { countAll } from '../../src/query/index.ts'
import { zeroSpending } from '../../src/trusted/accounting/index.ts'
import type { Book } from '../../src/trusted/ledger/index.ts'
import { discreteLaplaces } from '../../src/trusted/random/index.ts'
import { metered } from '../support/metered.ts'

const draws = 20_000
const confidence = 0.95
const law = (scale: number) => ({ kind: 'laplace', scale: rational(scale) }) as const
const buyer = { analyst: null, statement: null }
/** One false alarm in 2·10^6 runs: 4.89 standard deviations of a share of the draws. */
const spare = (p: number) => 4.89 * Math.sqrt((p * (1 - p)) / draws)

const lastOf = (book: Book) => book.releases.at(-1)!.measurements[0]!
const reachOf = (book: Book) =>
  new AlwaysWidths(book, confidence).halfWidth(fromMeasurement(lastOf(book), zeroSpending), 0)

/** A count with noise of scale 100, then of scale 50, in a real ledger: what `--always` says about both. */
async function reaches(): Promise<[number, number]> {
  const { meter, book } = await metered()
  await meter.measure({ ...buyer, charges: [{ query: countAll, law: law(100) }] })
  const first = reachOf(book)
  await meter.refine({ ...buyer, parent: lastOf(book).id, law: law(50) })
  return [first, reachOf(book)]
}

test('refining the unsurprising misses 9% instead of 5%; an interval that holds always does not', async () => {
  const bits = seededBits(5)
  // The path: noise at scale 50, and at 100 the same with probability p, else more (docs/algorithms/refinement.md).
  const fine = Float64Array.from(discreteLaplaces(rational(50), draws, bits), Number)
  const more = Float64Array.from(discreteLaplaces(rational(100), draws, bits), Number)
  const stays = (Math.sinh(1 / 200) / Math.sinh(1 / 100)) ** 2
  const coarse = fine.map((e, i) => (bits.uniform() < stays ? e : e + more[i]!))
  const missed = ([wide, narrow]: readonly [number, number], isRefined: (e: number) => boolean) =>
    coarse.filter((e, i) => (isRefined(e) ? Math.abs(fine[i]!) > narrow : Math.abs(e) > wide)).length / draws
  const alone = [laplaceHalfWidth(100, confidence), laplaceHalfWidth(50, confidence)] as const
  const asExpected = (e: number) => Math.abs(e) <= alone[0]
  expect(missed(alone, asExpected)).toBeGreaterThan(0.09 - spare(0.09))
  const always = await reaches()
  for (const isRefined of [asExpected, (e: number) => !asExpected(e), (e: number) => e > 0])
    expect(missed(always, isRefined)).toBeLessThan(1 - confidence)
  // And it costs what the page says.
  expect(always[0] / alone[0]).toBeLessThan(1.25)
  expect(always[1] / alone[1]).toBeLessThan(2.6)
})

test('the doubts of all noisy numbers of a ledger add up to no more than was said', async () => {
  const { meter, book } = await metered()
  let [left, purchases] = [1 - confidence, 0]
  for (const scale of [200, 500, 300, 1000, 800])
    for (const query of [countAll, { ...countAll, by: [{ attribute: 'age' }] }]) {
      await meter.measure({ ...buyer, charges: [{ query, law: law(scale) }] })
      left -= lastOf(book).values.length * laplaceTail(scale, reachOf(book))
      purchases++
    }
  expect(purchases).toBe(10)
  expect(left).toBeGreaterThan(0)
})
