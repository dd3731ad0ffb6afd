import { configDefaults, defineConfig } from 'vitest/config'

/** Property runs, audits and sweeps that take minutes: `npm run test:long` runs them, `npm test` a short case of each. */
const long = '**/*.long.test.ts'

export default defineConfig({
  test: {
    include: process.env.LONG === '1' ? [long] : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: process.env.LONG === '1' ? configDefaults.exclude : [...configDefaults.exclude, long],
    setupFiles: ['test/setup.ts'],
    // Every core: on two of them the default leaves one idle.
    maxWorkers: '100%',
    testTimeout: process.env.LONG === '1' ? 3_600_000 : 60_000,
  },
})
