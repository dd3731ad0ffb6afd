import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

const isLong = process.env.LONG === '1'
/** Property runs, audits and sweeps that take minutes: `npm run test:long` runs them, `npm test` a short case of each. */
const long = '**/*.long.test.ts'
/** These have processes of their own: most put something else in a module's place. */
const alone = [
  'src/trusted/random/decisions.test.ts',
  'src/trusted/mechanism/refinement/refine.test.ts',
  'test/{architecture,browser}/*.test.ts',
]
const exclude = isLong ? configDefaults.exclude : [...configDefaults.exclude, long]

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    // Threads take it over from their process: so the noise of a server is the same on every run, too.
    execArgv: ['--import', pathToFileURL('test/support/repeatable-noise.mjs').href],
    ...(isLong && { sequence: { sequencer: LongestFirst } }),
    globalSetup: ['test/support/servers/global.ts'],
    // Every core and half as many again: tests wait for servers, browsers and locks.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // For what hangs. Tests take seconds, and twenty times as long on a machine that has much else to do.
    hookTimeout: 300_000,
    testTimeout: isLong ? 3_600_000 : 300_000,
    // A second, unless somebody says otherwise.
    expect: { poll: { timeout: 250_000 } },
    projects: isLong
      ? [{ extends: true, test: { name: 'long', include: [long], exclude, isolate: false } }]
      : [
          // Tests leave nothing behind, so modules are read and compiled once for many of them: that takes a second each time.
          {
            extends: true,
            test: {
              name: 'together',
              include: ['{src,web,test}/**/*.test.ts'],
              exclude: [...exclude, ...alone],
              isolate: false,
            },
          },
          { extends: true, test: { name: 'alone', include: alone, exclude } },
        ],
  },
})
