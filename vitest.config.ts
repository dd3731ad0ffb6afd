import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

const isLong = process.env.LONG === '1'
/** Property runs, audits and sweeps that take minutes: `npm run test:long` runs them, `npm test` a short case of each. */
const long = '**/*.long.test.ts'
/** These leave nothing behind either. */
const pure = ['test/{docs,statistical}/*.test.ts']
/** These put something else in a module's place. */
const mocking = ['src/trusted/random/decisions.test.ts', 'src/trusted/mechanism/refinement/refine.test.ts']
const exclude = isLong ? configDefaults.exclude : [...configDefaults.exclude, long]

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/support/servers/global.ts'],
    // Every core and half as many again: tests wait for servers, browsers and locks.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // Servers are started in them.
    hookTimeout: 60_000,
    testTimeout: isLong ? 3_600_000 : 60_000,
    projects: isLong
      ? [{ extends: true, test: { name: 'long', include: [long], exclude } }]
      : [
          // Tests beside the source leave nothing behind, so modules are read once for many of them: that halves their time.
          {
            extends: true,
            test: {
              name: 'units',
              include: ['{src,web}/**/*.test.ts', ...pure],
              exclude: [...exclude, ...mocking],
              isolate: false,
            },
          },
          {
            extends: true,
            test: { name: 'whole', include: ['test/**/*.test.ts', ...mocking], exclude: [...exclude, ...pure] },
          },
        ],
  },
})
