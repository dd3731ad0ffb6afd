/*
 * Tests draw noise as the program does, but the same on every run: in a test's process `randomFillSync` is a stream of
 * AES in counter mode, keyed by a seed and a name, and so is `Math.random`. So a test that fails by chance fails again when
 * somebody looks, and one that passes is not undone by the day's luck; `SEED=$RANDOM npm test` looks at other noise. Programs
 * and threads that a test starts get the same by `--import`, with their name in the environment; in JavaScript, since they
 * start hundreds of times. Nothing of this ships.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread, threadId } from 'node:worker_threads'

export const seed = process.env.SEED ?? '20261116'

function streamOf(name) {
  const key = crypto.createHash('sha256').update(`${seed}\n${name}`).digest()
  return crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
}

/** From now on this process draws from the stream of this name. Returns a count of the requests to it. */
export function repeatNoise(name) {
  const stream = streamOf(name)
  let fills = 0
  const fill = (buffer) => {
    fills++
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    bytes.set(stream.update(new Uint8Array(bytes.length)))
    return buffer
  }
  crypto.randomFillSync = fill
  syncBuiltinESMExports()
  Math.random = uniformOf(streamOf(`${name} Math.random`))
  return () => fills
}

/** Drawn a thousand at a time, since a call costs as much as many words. */
function uniformOf(stream) {
  let words = new Uint32Array()
  let next = 0
  return () => {
    if (next === words.length) {
      words = new Uint32Array(new Uint8Array(stream.update(new Uint8Array(4096))).buffer)
      next = 0
    }
    return words[next++] / 2 ** 32
  }
}

const { RETICENT_TEST_NOISE } = process.env
if (RETICENT_TEST_NOISE) repeatNoise(isMainThread ? RETICENT_TEST_NOISE : `${RETICENT_TEST_NOISE} thread ${threadId}`)
