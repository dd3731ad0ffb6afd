// Exact draws per second from the operating system's generator. Bar: 10^6 for scales whose numerator and denominator are below 2^26.
import { rational, toText } from '../src/numeric/index.ts'
import { discreteLaplaces, systemBits } from '../src/trusted/random/index.ts'
import { best, type Figure, report } from './harness.ts'

const count = 1_000_000
const scales = [rational(1, 3), rational(7, 3), rational(2001, 2), rational(2 ** 26 - 1, 2 ** 26 - 3)]

const figures: Figure[] = []
for (const scale of scales) {
  const { milliseconds } = await best(() => discreteLaplaces(scale, count, systemBits))
  figures.push({
    what: `discrete Laplace, scale ${toText(scale)}`,
    value: count / milliseconds / 1000,
    unit: 'M/s',
    atLeast: 1,
  })
}
await report('Exact noise', figures)
