import { expect, test } from 'vitest'
import { ages, laplace, metered } from '../../../test/support/metered.ts'
import { marginal } from '../../query/index.ts'
import { alphaOf, HistoryModels } from './models.ts'

const wrong = (alpha: number | string, model: string): string => {
  try {
    alphaOf(alpha, model)
  } catch (error) {
    return (error as Error).message
  }
  return 'taken'
}

test('α is a number above 0, of the models that have one', () => {
  expect(alphaOf(undefined, 'mixture')).toBeUndefined()
  expect(alphaOf('0.5', 'maxent')).toBe(0.5)
  expect(alphaOf('Infinity', 'kernel')).toBe(Infinity)
  for (const alpha of ['0', '-1', '', 'many', Number.NaN]) expect(wrong(alpha, 'kernel')).toMatch('above 0')
  expect(wrong('Infinity', 'maxent')).toMatch('above 0')
  expect(wrong('1', 'mixture')).toMatch('no α')
})

test('a model with a given α has that one, and another α is another model', async () => {
  const { meter, book } = await metered()
  await meter.measure({ charges: [{ query: marginal(['age']), law: laplace(0.5) }], analyst: null, statement: null })
  await book.follow()
  const models = new HistoryModels()
  const kernel = (alpha: number | string) => models.fitted({ model: 'kernel', alpha }, book)
  const [weak, strong] = [await kernel(3), await kernel('3000')]
  expect(weak.parameters.alpha).toBe(3)
  expect(strong.parameters.alpha).toBe(3000)
  expect(await kernel(3000)).toBe(strong)
})

test('the same history gives the same model, in whichever process', async () => {
  const { meter, book } = await metered()
  for (const epsilon of [0.2, 0.3])
    await meter.measure({
      charges: [{ query: marginal(['age']), law: laplace(epsilon) }],
      analyst: null,
      statement: null,
    })
  await book.follow()
  for (const model of ['kernel', 'mixture']) {
    const fitted = () => new HistoryModels().fitted({ model }, book)
    const [one, other] = [await fitted(), await fitted()]
    expect(other).not.toBe(one)
    expect(other.estimates(ages(0, 3))).toEqual(one.estimates(ages(0, 3)))
  }
})

test.each(['kernel', 'maxent', 'mixture'])(
  '%s stops where it is told to, and can be fitted afterwards',
  async (model) => {
    const { meter, book } = await metered()
    await meter.measure({ charges: [{ query: marginal(['age']), law: laplace(0.5) }], analyst: null, statement: null })
    await book.follow()
    const models = new HistoryModels()
    const abort = new AbortController()
    const stopped = models.fitted({ model, signal: abort.signal }, book)
    abort.abort()
    await expect(stopped).rejects.toMatchObject({ code: 'interrupted' })
    expect(await models.fitted({ model }, book)).toMatchObject({ kind: model })
  },
)

test.each(['kernel', 'maxent', 'mixture'])(
  '%s says what it is doing, and how far it is, while it is fitted',
  async (model) => {
    const { meter, book } = await metered()
    await meter.measure({ charges: [{ query: marginal(['age']), law: laplace(0.5) }], analyst: null, statement: null })
    await book.follow()
    const shares: number[] = []
    const models = new HistoryModels()
    const progress = ({ share, doing }: { share: number; doing: string }) => {
      expect(doing).not.toBe('')
      shares.push(share)
    }
    await models.fitted({ model, progress }, book)
    expect(shares.length).toBeGreaterThan(2)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBeLessThan(1)
    // What is known is not fitted again.
    const fits = shares.length
    await models.fitted({ model, progress }, book)
    expect(shares).toHaveLength(fits)
  },
)

test.each(['maxent', 'mixture'])('%s tells an error', async (model) => {
  const { meter, book } = await metered()
  await meter.measure({ charges: [{ query: marginal(['age']), law: laplace(0.2) }], analyst: null, statement: null })
  await book.follow()
  expect((await new HistoryModels().fitted({ model }, book)).estimates(ages(0, 4))[0]!.error).toBeGreaterThan(0)
})
