import fc from 'fast-check'
import { afterAll, expect, vi } from 'vitest'
import { systemBits } from '../src/trusted/random/bits.ts'
import { repeatNoise, seed } from './support/repeatable-noise.mjs'

// The same cases on every run, so that a failure is somebody's change and not the day's luck. To look further:
// SEED=$RANDOM npm test
fc.configureGlobal({ seed: Number(seed) })

// The same noise, too: each file has a stream of its own, whatever ran before it in this process. Words that were drawn for
// an earlier file are used up first.
const name = expect.getState().testPath?.replace(process.cwd(), '') ?? ''
const fills = repeatNoise(name)
while (fills() === 0) systemBits.uint32()
// And in threads of servers: these read the same module before anything else, as `execArgv` in vitest.config.ts says.
process.env.RETICENT_TEST_NOISE = name

// The next file in this process finds it as this one did.
const environment = { ...process.env }
afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  for (const variable of Object.keys(process.env)) if (!(variable in environment)) delete process.env[variable]
  Object.assign(process.env, environment)
})
