import { expect, test } from 'vitest'
import { asWords, scripted } from '../../../test/statistical/scripted.ts'
import { rational } from '../../numeric/index.ts'
import { expBounds } from './certified.ts'
import { discreteGaussians } from './discrete-gaussian.ts'

/*
 * σ² = 50/7 proposes with scale 3. U = exp(-2.5/3) proposes 2, which is kept with probability exp(-γ), γ = (2·3·7 -
 * 50)²/(2·50·7·9) = 64/6300. The coin's uniform number agrees with that in 170 bits, and the rest decides. A rejected 2
 * is followed by a certain 0.
 */
test('a coin right beside its probability is decided exactly', () => {
  const two = [Math.floor(Math.exp(-2.5 / 3) * 2 ** 32), 0]
  const zero = [2 ** 32 - 2 ** 20, 0]
  const heads = [2 ** 20, 0]
  const edge = expBounds(64n, 6300n, 180)
  const draw = (coin: bigint) =>
    discreteGaussians(rational(50, 7), 1, scripted([...two, ...asWords(coin), ...zero, ...heads]))
  expect([...draw(edge.low - 1n)]).toEqual([2])
  expect([...draw(edge.high)]).toEqual([0])
})
