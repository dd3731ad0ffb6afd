/*
 * Tests draw noise as the program does, but the same on every run: in a test's process `randomFillSync` is a stream of
 * AES in counter mode, keyed by a seed and a name. So a test that fails by chance fails again when somebody looks, and one
 * that passes is not undone by the day's luck; `SEED=$RANDOM npm test` looks at other noise. A program that a test starts
 * gets the same by `--import`, with its name in the environment; in JavaScript, since it starts hundreds of times. Nothing of
 * this ships.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

export const seed = process.env.SEED ?? '20261116'

/** From now on this process draws from the stream of this name. Returns a count of the requests to it. */
export function repeatNoise(name) {
  const key = crypto.createHash('sha256').update(`${seed}\n${name}`).digest()
  const stream = crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  let fills = 0
  const fill = (buffer) => {
    fills++
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    bytes.set(stream.update(new Uint8Array(bytes.length)))
    return buffer
  }
  crypto.randomFillSync = fill
  syncBuiltinESMExports()
  return () => fills
}

const { RETICENT_TEST_NOISE } = process.env
if (RETICENT_TEST_NOISE) repeatNoise(RETICENT_TEST_NOISE)
