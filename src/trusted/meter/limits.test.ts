import { expect, test } from 'vitest'
import { metered } from '../../../test/support/metered.ts'
import { rational } from '../../numeric/index.ts'
import { countAll, type NoiseLaw } from '../../query/index.ts'

const [least, greatest] = [rational(1, 1000), rational(10n ** 15n)]
const beyond: NoiseLaw[] = [
  { kind: 'laplace', scale: rational(1, 1001) },
  { kind: 'laplace', scale: rational(10n ** 15n + 1n) },
  { kind: 'gaussian', variance: rational(1, 1_000_001) },
  { kind: 'gaussian', variance: rational(10n ** 30n + 1n) },
]
const generous = {
  unit: { kind: 'row' },
  neighbours: 'add-remove',
  epsilon: rational(1000),
  delta: rational(1, 1_000_000),
  composition: 'zcdp',
} as const
const refused = expect.objectContaining({ code: 'scale-invalid' })

test.each(beyond)('noise out of range is refused before anything is charged', async (law) => {
  const { buy, log } = await metered({ privacy: generous })
  await expect(buy(countAll, law)).rejects.toThrow(refused)
  expect(log).toEqual([])
})

test('noise at either end of the range is sold', async () => {
  const { buy, book } = await metered({ privacy: { ...generous, epsilon: rational(1_000_000), composition: 'pure' } })
  for (const scale of [least, greatest]) await buy(countAll, { kind: 'laplace', scale })
  expect(book.releases.map(({ state }) => state)).toEqual(['recorded', 'recorded'])
})

test('a refinement below the range is refused, and its parent can still be refined', async () => {
  const { buy, meter, log } = await metered({ privacy: generous })
  const { measurements } = await buy(countAll, { kind: 'laplace', scale: rational(1, 100) })
  const buyer = { parent: measurements[0]!.id, analyst: null, statement: null }
  const refined = (scale: ReturnType<typeof rational>) => meter.refine({ ...buyer, law: { kind: 'laplace', scale } })
  log.length = 0
  await expect(refined(rational(1, 1001))).rejects.toThrow(refused)
  expect(log).toEqual([])
  await refined(rational(1, 200))
})

test('draws out of range are not allowed', async () => {
  const { meter } = await metered({ privacy: generous })
  const draws = await meter.openDraws({ queries: [countAll], epsilon: rational(1), analyst: null, statement: null })
  for (const scale of [rational(0), rational(1, 1001), rational(10n ** 15n + 1n)]) {
    expect(draws.allows([{ query: 0, scale }])).toBe(false)
    expect(() => draws.draw({ query: 0, scale })).toThrow(RangeError)
  }
  expect(draws.allows([{ query: 0, scale: greatest }])).toBe(true)
})

test('what was planned before the ledger grew is not bought', async () => {
  const { buy, meter, book, log } = await metered()
  const plannedAt = book.head
  const law = { kind: 'laplace', scale: rational(10) } as const
  const request = { charges: [{ query: countAll, law }], analyst: null, statement: null, plannedAt }
  const { measurements } = await meter.measure(request)
  log.length = 0
  const moved = expect.objectContaining({ code: 'ledger-moved' })
  await expect(meter.measure(request)).rejects.toThrow(moved)
  const sharper = { kind: 'laplace', scale: rational(5) } as const
  const refinement = { parent: measurements[0]!.id, law: sharper, analyst: null, statement: null }
  await expect(meter.refine({ ...refinement, plannedAt })).rejects.toThrow(moved)
  expect(log).toEqual([])
  await meter.refine({ ...refinement, plannedAt: book.head })
  await buy(countAll, law)
})
