// How often intervals hold that were bought step by step: of quantiles, and of ratios within a half-width, at 95%. No proof
// covers all of what they do; docs/algorithms/quantiles.md and ratios.md have the figures. RUNS=100 makes it short.
import { seededBits } from '../src/evaluation/index.ts'
import { quantileCases, quantileCoverage } from '../test/support/quantile-coverage.ts'
import { ratioCases, ratioCoverage } from '../test/support/ratio-coverage.ts'
import { check, type Figure, report } from './harness.ts'

const runs = Number(process.env.RUNS ?? 1000)
/** Where 95% hold, fewer do once in 10^6 times. */
const least = runs * 0.95 - 4.89 * Math.sqrt(runs * 0.95 * 0.05) - 1

const figures: Figure[] = []
const { uniform } = seededBits(5)
for (const one of quantileCases) {
  const { held } = await quantileCoverage(one, runs, uniform)
  check(held > least, `${one.name}: ${held} of ${runs}`)
  figures.push({ what: `quantile, ${one.name}`, value: (100 * held) / runs, unit: '% held' })
}
for (const one of ratioCases) {
  const { right, narrow } = await ratioCoverage(one, 0.95, runs)
  check(right * runs > least, `${one.name}: ${right}`)
  figures.push({ what: one.name, value: 100 * right, unit: '% held' })
  figures.push({ what: `${one.name}, as narrow as asked`, value: 100 * narrow, unit: '%' })
}
await report('Coverage', figures)
