// Exact draws per second on one core, from the operating system's generator. Bars: discrete Laplace 10^7 in bulk at any
// scale from 10^-2 to 10^9 and 10^6 one by one, by integer comparisons alone; discrete Gaussian 3·10^6 in bulk.
import { type Rational, rational, toText } from '../src/numeric/index.ts'
import { seal } from '../src/trusted/exact/seal.ts'
import { select } from '../src/trusted/mechanism/index.ts'
import { discreteGaussians, discreteLaplace, discreteLaplaces, systemBits } from '../src/trusted/random/index.ts'
import { best, check, type Figure, report } from './harness.ts'

const count = 1_000_000

async function rate(what: string, atLeast: number, draw: () => unknown): Promise<Figure> {
  const { milliseconds } = await best(draw)
  return { what, value: count / milliseconds / 1000, unit: 'M/s', atLeast }
}

function oneByOne(scale: Rational): bigint {
  let sum = 0n
  for (let i = 0; i < count; i++) sum ^= discreteLaplace(scale, systemBits)
  return sum
}

const figures: Figure[] = []
for (const scale of [rational(1, 3), rational(2001, 2), rational(2 ** 26 - 1, 2 ** 26 - 3)])
  figures.push(await rate(`discrete Laplace one by one, scale ${toText(scale)}`, 1, () => oneByOne(scale)))
for (const scale of [
  rational(1, 100),
  rational(7, 3),
  rational(2001, 2),
  rational(123_456_789, 1000),
  rational(10 ** 9),
])
  figures.push(
    await rate(`discrete Laplace in bulk, scale ${toText(scale)}`, 10, () =>
      discreteLaplaces(scale, count, systemBits),
    ),
  )
for (const variance of [rational(1, 5), rational(50), rational(10 ** 12)])
  figures.push(
    await rate(`discrete Gaussian in bulk, variance ${toText(variance)}`, 3, () =>
      discreteGaussians(variance, count, systemBits),
    ),
  )
// The worst case of a selection: one candidate far ahead of a million others.
const scores = new Float64Array(count)
scores[count >> 1] = 1000
const chosen = await best(() => select(seal(scores), rational(1)))
check(chosen.value === count >> 1, 'the candidate far ahead is chosen')
figures.push({ what: 'selection among 10^6, one far ahead', value: chosen.milliseconds, unit: 'ms' })
await report('Exact noise', figures)
