import { expect, test } from 'vitest'
import { asking } from '../../test/support/asking.ts'
import { integers } from '../../test/support/estimates.ts'
import { metered, people, promise } from '../../test/support/metered.ts'
import { seededBits } from '../evaluation/index.ts'
import { cellQuery } from '../inference/index.ts'
import { rational } from '../numeric/index.ts'
import { answerSize, countAll, type Grouping, type LinearQuery, marginal, type NoiseLaw } from '../query/index.ts'
import { universe } from '../schema/index.ts'
import { Knowledge } from './knowledge.ts'

const laplace = (b: number): NoiseLaw => ({ kind: 'laplace', scale: rational(b) })
const ages = { age: { kind: 'value', slope: 2, shift: -9, power: 1, from: 0, to: 9 } } as const
const byMember = (terms: LinearQuery['terms']): LinearQuery => ({ ...marginal(['member']), terms })

test('groups that are told alike have the law that each of them has by itself, and others do not', async () => {
  const { book, buy } = await metered({ privacy: { ...(await metered()).book.terms, epsilon: rational(1000) } })
  const knowledge = new Knowledge(book, seededBits(3).uniform)
  const queries = [
    marginal(['age']),
    marginal(['age', 'member']),
    byMember([{ coefficient: 1, factors: ages }]),
    byMember([{ coefficient: 2, factors: { age: { kind: 'interval', from: 2, to: 4 } } }]),
  ]
  const check = () => {
    for (const query of queries) {
      const told = knowledge.about(query)!
      for (let cell = 0; cell < answerSize(query, people); cell++) {
        const [alone] = knowledge.about(cellQuery(query, people, cell))!
        expect(told[cell]!.estimate).toBeCloseTo(alone!.estimate, 8)
        expect(told[cell]!.errorLaw().halfWidth(0.9)).toBeCloseTo(alone!.errorLaw().halfWidth(0.9), 8)
        expect(knowledge.aboutGroup(query, cell)!.made.variance).toBeCloseTo(alone!.made.variance, 8)
      }
    }
  }
  await buy(marginal(['age', 'member']), laplace(10))
  await buy(marginal(['member']), laplace(5))
  expect(knowledge.isUniform(queries[2]!)).toBe(true)
  check()
  await buy(cellQuery(marginal(['age']), people, 3), laplace(2))
  expect(knowledge.isUniform(queries[0]!)).toBe(false)
  check()
})

test('groups of filtered tables are free, as they are and in larger groups, however many the tables are', async () => {
  const over = universe([integers('age', 200), integers('town', 60)])
  const rows = Array.from({ length: 3000 }, (_, i) => ({ age: (i * 7) % 200, town: i % 60 }))
  const { put } = await asking({ over, rows, privacy: { ...promise, epsilon: rational(1000) } })
  const by = (key: string, town: number) => `SELECT ${key}, COUNT(*) FROM people WHERE town = ${town} GROUP BY 1`
  const bought: { estimate: number }[][] = []
  for (let town = 0; town < 30; town++) bought.push((await put(by('age', town), { epsilon: 1 })).groups)
  const own = await put(by('age', 29), { free: true })
  expect(own.groups.map(({ estimate }: { estimate: number }) => estimate)).toEqual(
    bought[29]!.map(({ estimate }) => estimate),
  )
  const tens = await put(by('age / 10', 29), { free: true })
  const sums = Array.from({ length: 20 }, (_, k) =>
    bought[29]!.slice(10 * k, 10 * k + 10).reduce((sum, { estimate }) => sum + estimate, 0),
  )
  for (const [k, { estimate }] of tens.groups.entries()) expect(estimate).toBeCloseTo(sums[k]!, 6)
  expect((await put(by('age', 29), { within: 4 })).kind).toBe('free')
})

test('where the history tells some groups only, all are bought, and those come out narrower', async () => {
  const { put } = await asking()
  const by = (where: string) => `SELECT age, COUNT(*) FROM people WHERE ${where} GROUP BY age`
  await put(by('member AND age < 5'), { epsilon: 0.15 })
  const { groups } = await put(by('member'), { within: 20 })
  const widths = groups.map(({ within }: { within: number }) => within)
  expect(widths.slice(5)).toEqual([20, 20, 20, 20, 20])
  for (const within of widths.slice(0, 5)) expect(within).toBeLessThan(18)
})

type Groups = NonNullable<Grouping['groups']>

test('whether the history is consulted follows from public sizes: groups, noisy numbers, and codes that are not ranges', async () => {
  const over = universe([integers('day', 40_000), integers('c', 400)])
  const { book, buy } = await metered({ over, rows: [], privacy: { ...promise, epsilon: rational(100) } })
  const knowledge = new Knowledge(book, Math.random)
  const every = (n: number, step: number): Groups =>
    Array.from({ length: n }, (_, i) => ({ kind: 'set', codes: [i, i + step, i + 2 * step] }))
  const by = (groups: Groups): LinearQuery => ({ ...countAll, by: [{ attribute: 'day', groups }] })
  const ranges: Groups = Array.from({ length: 30 }, (_, i) => ({ kind: 'interval', from: i, to: i }))
  await buy(marginal(['day']), laplace(1))
  expect(knowledge.isConsulted(by(every(30, 100)))).toBe(true)
  // 300 other answers, all of them ranges: they are combined where ranges are asked for, not beside scattered codes.
  await buy(
    { ...marginal(['c']), terms: [{ coefficient: 1, factors: { day: { kind: 'interval', from: 0, to: 9 } } }] },
    laplace(1),
  )
  expect(knowledge.isConsulted(by(ranges))).toBe(true)
  expect(knowledge.isConsulted(by(every(30, 100)))).toBe(false)
  // Nor are ranges, once answers have told scattered codes apart.
  await buy(by(every(2, 100)), laplace(1))
  expect(knowledge.isConsulted(by(ranges))).toBe(false)
  expect(knowledge.isConsulted(marginal([]))).toBe(true)
})
