import { describe, expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { one, rational } from '../../../numeric/index.ts'
import type { Factor, Measurement } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import type { PastAnswers } from '../../history-model.ts'
import { fitKernel } from '../fit.ts'
import { learnedPrior } from './learned-prior.ts'

const names = [...'abcdefgh']
const size = 8
const u = universe(names.map((name) => attribute({ kind: 'integer', name, low: 0, high: size - 1, closed: true })))
const records = 4000

/** Ranges over two of eight attributes of a table with so many kinds of records, each with codes of its own: one kind, and nothing goes together. */
function ranges(count: number, scale: number, kinds: number): Measurement[] {
  const { uniform } = seededBits(1)
  const below = (n: number) => Math.floor(n * uniform())
  const middles = Array.from({ length: kinds }, () => names.map(() => uniform()))
  const rows = Array.from({ length: records }, () => {
    const kind = middles[below(kinds)]!
    return kind.map((middle) => Math.floor(size * (0.7 * middle + 0.3 * uniform())))
  })
  return Array.from({ length: count }, (_, i) => {
    const first = below(names.length)
    const places = [first, (first + 1 + below(names.length - 1)) % names.length]
    const factors = places.map((place) => {
      const ends = [below(size), below(size)]
      return { place, from: Math.min(...ends), to: Math.max(...ends) }
    })
    const exact = rows.filter((row) => factors.every((f) => row[f.place]! >= f.from && row[f.place]! <= f.to)).length
    const noise = (uniform() < 0.5 ? -1 : 1) * Math.round(-scale * Math.log(1 - uniform()))
    const entries = factors.map((f): [string, Factor] => [
      names[f.place]!,
      { kind: 'interval', from: f.from, to: f.to },
    ])
    return {
      id: `${i}`,
      query: { by: [], terms: [{ coefficient: 1, factors: Object.fromEntries(entries) }], step: one },
      law: { kind: 'laplace', scale: rational(scale) },
      values: Float64Array.of(exact + noise),
    }
  })
}

/** What the model says of ranges that it has not seen, and how far that is off. */
function judged(model: ReturnType<typeof fitKernel>, count: number, kinds: number) {
  const fresh = ranges(count + 100, 0, kinds).slice(count)
  const root = (squares: number[]) => Math.sqrt(squares.reduce((a, b) => a + b, 0) / squares.length)
  const told = fresh.map(({ query }) => model.estimates(query)[0]!)
  return {
    off: root(told.map(({ estimate }, i) => (estimate - Number(fresh[i]!.values[0])) ** 2)),
    told: root(told.map(({ error }) => error! ** 2)),
  }
}

const random = () => seededBits(2).uniform

/** With what is told of single attributes alone, drawn as the default draws it. */
function ofSingles(past: PastAnswers) {
  const same = random()
  return fitKernel(past, { prior: learnedPrior(past, same), random: same })
}

describe('attributes that go together', () => {
  test('are learned from many answers, and tell new ranges better than single attributes do', () => {
    const past = { universe: u, measurements: ranges(500, 60, 4), records }
    const product = ofSingles(past)
    const mixture = fitKernel(past, { random: random() })
    expect(product.parameters.prior).toBe(undefined)
    expect(mixture.parameters.prior).toBe('mixture')
    const { off, told } = judged(mixture, 500, 4)
    expect(off).toBeLessThan(0.85 * judged(product, 500, 4).off)
    // The judge does not know how attributes go together: what it tells is larger, here 2.3 times.
    expect(told).toBeGreaterThan(off)
    expect(told).toBeLessThan(3 * off)
    // α = ∞ believes in no prior.
    expect(fitKernel(past, { alpha: Infinity, random: random() }).parameters.prior).toBe(undefined)
  })

  test('are not looked for in few answers', () => {
    const past = { universe: u, measurements: ranges(150, 200, 4), records }
    expect(fitKernel(past, { random: random() }).parameters.prior).toBe(undefined)
  })

  test('do no harm where there are none', () => {
    const past = { universe: u, measurements: ranges(300, 200, 1), records }
    const product = ofSingles(past)
    const { off } = judged(fitKernel(past, { random: random() }), 300, 1)
    expect(off).toBeLessThan(1.15 * judged(product, 300, 1).off)
  })
})
