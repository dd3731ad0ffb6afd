import { describe, expect, test } from 'vitest'
import { ages, metered, people, promise } from '../../../test/support/metered.ts'
import { seededBits } from '../../evaluation/index.ts'
import { type History, openHistory } from '../../inference/index.ts'
import { rational, toNumber } from '../../numeric/index.ts'
import { countAll, type LinearQuery, marginal, type NoiseLaw } from '../../query/index.ts'
import type { Policy } from '../../schema/index.ts'
import type { Approve } from '../../trusted/meter/index.ts'
import { isDoubtful } from './flat-judgement.ts'
import { Frontier } from './frontier.ts'
import { guardsFor } from './guard.ts'

const bits = seededBits(5)
const random = () => bits.uint32() / 2 ** 32
const laplace = (b: number): NoiseLaw => ({ kind: 'laplace', scale: rational(Math.round(b * 100), 100) })
const nobody = { analyst: null, statement: null }
const old = 'SELECT COUNT(*) FROM people WHERE age = 5'
const guard = { query: old, within: rational(10), confidence: rational(9, 10) }
const roomy = { ...promise, epsilon: rational(1000) }
type Options = NonNullable<Parameters<typeof metered>[0]>

/** A meter with guards that can be put up later. */
async function guardedMeter(options: Options & { guards?: Policy['guards'] } = {}) {
  const { guards = [guard], ...others } = options
  let approve: Approve = () => {}
  const made = await metered({ privacy: roomy, ...others, approve: (charges, run) => approve(charges, run) })
  const policy = {
    dataset: 'people',
    universe: people,
    guards,
    privacy: options.privacy ?? roomy,
  } as unknown as Policy
  const putUp = async () => {
    approve = await guardsFor(policy, made.book, random)
  }
  const sells = async (query: LinearQuery, b: number): Promise<boolean> => {
    const refused = await made.buy(query, laplace(b)).then(
      () => undefined,
      (error) => error,
    )
    if (refused) expect(refused).toMatchObject({ code: 'guarded', facts: { query: old, within: 10, confidence: 0.9 } })
    return refused === undefined
  }
  return { ...made, putUp, sells }
}
async function guardedNow(options: Parameters<typeof guardedMeter>[0] = {}) {
  const made = await guardedMeter(options)
  await made.putUp()
  return made
}

/** Pr(|noise| ≤ w) of a discrete Laplace law, by adding up. */
function within(b: number, w: number): number {
  const mass = (k: number) => Math.exp(-Math.abs(k) / b)
  const sum = (most: number) => Array.from({ length: 2 * most + 1 }, (_, i) => mass(i - most)).reduce((x, y) => x + y)
  return sum(w) / sum(2000)
}

test('one answer is sold as long as its law puts at most the confidence on the interval', async () => {
  const scales = [2, 4, 4.5, 4.7, 5, 10, 50]
  const verdicts = await Promise.all(scales.map(async (b) => (await guardedNow()).sells(ages(5, 5), b)))
  expect(verdicts).toEqual(scales.map((b) => within(b, 10) <= 0.9))
  expect(new Set(verdicts).size).toBe(2)
  // Just below the confidence, whoever had the least idea beforehand is above it.
  expect(within(4.6, 10)).toBeLessThan(0.9)
  expect(await (await guardedNow()).sells(ages(5, 5), 4.6)).toBe(false)
})

describe('what several answers tell together', () => {
  test('two ranges that differ by the guarded one', async () => {
    const narrow = await guardedNow()
    expect(await narrow.sells(ages(0, 5), 2)).toBe(true)
    expect(await narrow.sells(ages(0, 4), 2)).toBe(false)
    expect(await narrow.sells(ages(0, 4), 20)).toBe(true)
    expect(await narrow.sells(ages(6, 9), 2)).toBe(true) // without the total this tells nothing about it
  })
  test('an answer that by itself tells more than the best estimate from it and a wider one', async () => {
    // Close to 0 Laplace noise is denser than any average of it: of scale 10 it is at most 1 in size with probability…
    const narrow = within(10, 1)
    const low = { ...guard, within: rational(1), confidence: rational(Math.floor(narrow * 1e4), 10_000) }
    const { buy } = await guardedNow({ guards: [low] })
    await buy(ages(5, 5), laplace(15))
    await expect(buy(ages(5, 5), laplace(10))).rejects.toMatchObject({ code: 'guarded' })
    await buy(ages(5, 5), laplace(20))
    // Nor in one purchase, or in a run that may show both.
    const both = await guardedNow({ guards: [low] })
    const charges = [15, 10].map((b) => ({ query: ages(5, 5), law: laplace(b) }))
    await expect(both.meter.measure({ charges, ...nobody })).rejects.toMatchObject({ code: 'guarded' })
    const grid = { first: rational(50), step: rational(40), count: 2 }
    const run = await both.meter.openRun({ queries: [ages(5, 5), ages(5, 5)], grid, epsilon: rational(1), ...nobody })
    expect(() => run.lower(0, 1)).toThrow(expect.objectContaining({ code: 'guarded' }))
  })
  test('both in one purchase', async () => {
    const { meter } = await guardedNow()
    const charges = [ages(0, 5), ages(0, 4)].map((query) => ({ query, law: laplace(2) }))
    await expect(meter.measure({ charges, ...nobody })).rejects.toMatchObject({ code: 'guarded' })
  })
  test('marginals that contain it', async () => {
    const { sells } = await guardedNow()
    expect(await sells(marginal(['member']), 0.5)).toBe(true)
    expect(await sells(marginal(['age', 'member']), 2)).toBe(false)
    expect(await sells(marginal(['age', 'member']), 20)).toBe(true)
    expect(await sells(marginal(['age']), 2)).toBe(false)
  })
  test('with a public number of records, everybody else', async () => {
    const replacing = { ...roomy, neighbours: 'replace-one' } as const
    for (const [privacy, verdict] of [
      [roomy, true],
      [replacing, false],
    ] as const) {
      const { sells } = await guardedNow({ privacy })
      expect(await sells(ages(0, 4), 2)).toBe(true)
      expect(await sells(ages(6, 9), 2)).toBe(verdict)
    }
  })
})

test('a refinement takes the place of the answer that it refines', async () => {
  const { buy, meter, sells } = await guardedNow()
  const { measurements } = await buy(ages(5, 5), laplace(8))
  expect(within(4.7, 10)).toBeLessThan(0.9)
  expect(await sells(ages(5, 5), 4.7)).toBe(false) // beside the other it would be too much
  const sharper = { parent: measurements[0]!.id, law: laplace(4.7), ...nobody }
  await expect(meter.refine({ ...sharper, law: laplace(4.5) })).rejects.toMatchObject({ code: 'guarded' })
  await meter.refine(sharper)
  expect(await sells(ages(5, 5), 8)).toBe(false)
})

test('a run comes down only as far as the guard lets it, and counts at its sharpest for others', async () => {
  const { meter, sells } = await guardedNow()
  const grid = { first: rational(50), step: rational(8), count: 7 }
  const [ten, two] = [5, 6]
  expect(await sells(ages(5, 5), 100)).toBe(true)
  const run = await meter.openRun({ queries: [ages(0, 5), ages(0, 4)], grid, epsilon: rational(10), ...nobody })
  run.lower(0, two)
  run.lower(1, ten)
  expect(() => run.lower(1, two)).toThrow(expect.objectContaining({ code: 'guarded' }))
  expect(run.level(1)).toBe(ten)
  expect(await sells(ages(5, 5), 100)).toBe(false)
  await run.close()
  expect(await sells(ages(5, 5), 100)).toBe(true)
})

test('what an open run may come to show excuses nobody else', async () => {
  const { meter, sells } = await guardedNow()
  expect(await sells(ages(5, 5), 4)).toBe(false)
  const grid = { first: rational(1000), step: rational(999), count: 2 }
  // Comes down to scale 1 in steps that the guard will not let it take.
  const run = await meter.openRun({ queries: [ages(5, 5)], grid, epsilon: rational(1), ...nobody })
  expect(await sells(ages(5, 5), 4)).toBe(false)
  expect(() => run.lower(0, 1)).toThrow(expect.objectContaining({ code: 'guarded' }))
  // And others may still buy what has nothing to do with it.
  expect(await sells(marginal(['member']), 1)).toBe(true)
  await run.close()
  expect(await sells(ages(5, 5), 4)).toBe(false)
})

test('what is paid for and not recorded counts, until it is void', async () => {
  const { ledger, sells } = await guardedNow()
  const purchases = [{ query: ages(0, 5), law: laplace(2) }]
  const stored = await ledger.append({ kind: 'reserve', ...nobody, purchases })
  expect(await sells(ages(0, 4), 2)).toBe(false)
  await ledger.append({ kind: 'void', reserve: stored!.seq })
  expect(await sells(ages(0, 4), 2)).toBe(true)
})

test('what was known too well before there was a guard gets no narrower', async () => {
  const { sells, putUp } = await guardedMeter()
  expect(await sells(ages(5, 5), 1)).toBe(true)
  await putUp()
  expect(await sells(ages(5, 5), 1000)).toBe(false)
  expect(await sells(ages(0, 3), 1)).toBe(true)
})

test('the verdicts do not depend on the data', async () => {
  const asked: [LinearQuery, number][] = [
    [ages(0, 5), 3],
    [ages(0, 4), 3],
    [ages(0, 4), 15],
    [marginal(['age']), 12],
    [marginal(['member']), 1],
    [ages(5, 9), 4],
    [ages(6, 9), 4],
  ]
  const verdicts = async (rows: Options['rows']) => {
    const { sells } = await guardedNow({ rows })
    const all: boolean[] = []
    for (const [query, b] of asked) all.push(await sells(query, b))
    return all
  }
  const [none, many] = [await verdicts([]), await verdicts(Array.from({ length: 300 }, () => ({ age: 5 })))]
  expect(many).toEqual(none)
  expect(new Set(none).size).toBe(2)
})

test('a multiple of a count is guarded in its own units', async () => {
  const percent = { ...guard, query: 'SELECT COUNT(*) * 2 FROM people WHERE age = 5', within: rational(20) }
  for (const [b, sold] of [
    [4.5, false],
    [4.7, true],
  ] as const) {
    const { buy } = await guardedNow({ guards: [percent] })
    const bought = buy(ages(5, 5), laplace(b))
    if (sold) await bought
    else await expect(bought).rejects.toMatchObject({ code: 'guarded', facts: { within: 20 } })
  }
})

test('a guard that could not be kept is refused', async () => {
  const wrong: [string, string][] = [
    ['SELECT AVG(age) FROM people', 'one count or sum'],
    ['SELECT COUNT(*), COUNT(age) FROM people', 'one count or sum'],
    ['SELECT age, COUNT(*) FROM people GROUP BY age', 'one count or sum'],
    ['SELECT COUNT(*) FROM people WHERE shoes = 5', 'shoes'],
    ['SELECT COUNT(* FROM people', 'syntax'],
    ['SELECT COUNT(*) FROM people WHERE age > 50', 'no value of age is > 50'],
    ['SELECT COUNT(*) FROM people WHERE false', 'one count or sum'],
  ]
  for (const [query, word] of wrong) {
    const { putUp } = await guardedMeter({ guards: [{ ...guard, query }] })
    await expect(putUp()).rejects.toMatchObject({ code: 'policy-invalid', message: expect.stringContaining(word) })
  }
  const privacy = { ...roomy, neighbours: 'replace-one' } as const
  const { putUp } = await guardedMeter({ privacy, guards: [{ ...guard, query: 'SELECT COUNT(*) FROM people' }] })
  await expect(putUp()).rejects.toThrow('public')
})

test('a history that cannot tell what an answer to the guarded query would add is in doubt about it', () => {
  // A stub: of real histories one in some thousands sets an answer aside.
  const stub = (setsAside: boolean): History => {
    const appended: string[] = []
    return {
      append: ({ id }) => appended.push(id),
      estimate: () => ({ estimable: false, leftOut: setsAside ? appended.length : 0 }),
      estimates: () => [],
      fromTables: () => undefined,
      fork: () => stub(setsAside),
    }
  }
  expect(isDoubtful(stub(true), ages(5, 5))).toBe(true)
  expect(isDoubtful(stub(false), ages(5, 5))).toBe(false)
  const real = openHistory(people, { random })
  real.append({ id: 'all', query: ages(0, 9), law: laplace(1), values: Float64Array.of(0) })
  expect(isDoubtful(real, ages(0, 8))).toBe(false)
})

test('one judgement lasts for many steps of a run, and a refusal for none', () => {
  const asked: number[] = []
  const frontier = new Frontier(([charge]) => {
    const b = toNumber((charge!.law as Extract<NoiseLaw, { kind: 'laplace' }>).scale)
    asked.push(b)
    return b < 10 ? new Error('too sharp') : undefined
  })
  const steps = Array.from({ length: 1000 }, (_, i) => 1000 - i)
  const query = ages(5, 5)
  const verdicts = steps.map((b) => frontier.check([{ kind: 'measurement', query, law: laplace(b) }]) === undefined)
  expect(verdicts).toEqual(steps.map((b) => b >= 10))
  expect(asked.length).toBeLessThan(60)
})

test('an answer at its limit does not keep the others back', () => {
  let judged = 0
  const frontier = new Frontier(([charge]) => {
    judged++
    return toNumber((charge!.law as Extract<NoiseLaw, { kind: 'laplace' }>).scale) < 100 ? new Error('') : undefined
  })
  const [one, other] = [ages(5, 5), ages(0, 4)]
  const check = (a: number, b: number) =>
    frontier.check([
      { kind: 'measurement', query: one, law: laplace(a) },
      { kind: 'measurement', query: other, law: laplace(b) },
    ])
  expect(check(100, 1000)).toBeUndefined()
  expect(check(99, 1000)).toBeDefined()
  judged = 0
  for (let b = 999; b > 0; b--) expect(check(100, b)).toBeUndefined()
  // A thousand is ten times twice, and what was refused for the other is tried anew.
  expect(judged).toBeLessThan(30)
})

test('what is known to be harmless says nothing about one answer more, nor about another question', () => {
  const [young, old] = [ages(0, 4), ages(5, 5)]
  const frontier = new Frontier((charges) => (charges.length > 1 ? new Error('too much') : undefined))
  expect(frontier.check([{ kind: 'measurement', query: young, law: laplace(100) }])).toBeUndefined()
  expect(frontier.check([100, 90].map((b) => ({ kind: 'measurement', query: young, law: laplace(b) })))).toBeDefined()
  const other = new Frontier(([charge]) => (charge!.query === old ? new Error('too much') : undefined))
  expect(other.check([{ kind: 'measurement', query: young, law: laplace(100) }])).toBeUndefined()
  expect(other.check([{ kind: 'measurement', query: old, law: laplace(100) }])).toBeDefined()
})

test('answers that are drawn again and again are guarded as purchases are: each with those before it', async () => {
  const { meter, sells } = await guardedNow()
  const draws = await meter.openDraws({ queries: [ages(5, 5)], epsilon: rational(100), ...nobody })
  const draw = (b: number) => draws.draw({ query: 0, scale: rational(Math.round(b * 100), 100) })
  draw(100)
  expect(() => draw(2)).toThrow('guards')
  for (const b of [8, 8, 9]) draw(b)
  // By now they tell so much together that one more would tell too much.
  expect(() => draw(5)).toThrow('guards')
  await draws.close()
  expect(await sells(ages(5, 5), 5)).toBe(false)
})

test.each([
  ['an answer to the same with noise beyond all numbers', [[ages(5, 5), 10n ** 160n]]],
  [
    'noise so large that variances are lost beside it',
    [
      [countAll, 10n ** 40n],
      [ages(5, 5), 100n],
    ],
  ],
] as [string, [LinearQuery, bigint][]][])('%s excuses nothing', async (_, before) => {
  const { ledger, sells } = await guardedNow()
  // No such noise is sold any more; older ledgers may have it.
  for (const [query, scale] of before) {
    const purchases = [{ query, law: { kind: 'laplace', scale: rational(scale) } as const }]
    const stored = await ledger.append({ kind: 'reserve', ...nobody, purchases })
    await ledger.append({ kind: 'record', reserve: stored!.seq, values: [Float64Array.of(0)] })
  }
  expect(await sells(ages(5, 5), 2)).toBe(false)
})

test('what runs have come to counts for all others, also where what they may show at most tells too much already', async () => {
  const wide = { query: old, within: rational(100_000), confidence: rational(8, 10) }
  const { meter, buy, book } = await guardedNow({ guards: [wide] })
  const grid = { first: rational(200_000), step: rational(1), count: 200_000 }
  const open = () => meter.openRun({ queries: [ages(5, 5)], grid, epsilon: rational(1), ...nobody })
  const [first, second] = [await open(), await open()]
  const scale = 65_000
  first.lower(0, 200_000 - scale)
  // One answer of this scale is sold, and two tell too much.
  expect(() => second.lower(0, 200_000 - scale)).toThrow('guards')
  await expect(buy(ages(5, 5), laplace(scale))).rejects.toThrow('guards')
  await first.close()
  await second.close()
  expect(book.releases.map(({ state }) => state)).toEqual(['recorded', 'recorded'])
})

describe('choices and distances, which no estimate can judge,', () => {
  const queries = [ages(5, 5), marginal(['member'])]
  const choice = { candidates: [0, 1], model: [0, 0, 0, 0], epsilon: rational(1, 10) }
  const open = ({ meter }: Awaited<ReturnType<typeof guardedMeter>>) =>
    meter.openDraws({ queries, epsilon: rational(1), ...nobody })
  const refused = expect.objectContaining({ code: 'guarded' })

  test('are not sold under a guard, whatever they are about', async () => {
    const made = await guardedNow()
    const draws = await open(made)
    expect(() => draws.select(choice)).toThrow(refused)
    expect(() => draws.select({ ...choice, candidates: [1], model: [0, 0, 0] })).toThrow(refused)
    expect(() => draws.score({ query: 1, scale: rational(100), model: [0, 0, 0] })).toThrow(refused)
    draws.draw({ query: 1, scale: rational(10) })
    expect((await draws.close()).measurements).toHaveLength(1)
    expect(made.book.spent().epsilon).toBe(1e11)
  })
  test('leave nothing for sale where they came before the guard', async () => {
    const made = await guardedMeter()
    const draws = await open(made)
    draws.select(choice)
    await draws.close()
    expect(await made.sells(ages(0, 4), 100)).toBe(true)
    await made.putUp()
    expect(await made.sells(ages(0, 4), 100)).toBe(false)
  })
})
