// The kernel estimate from 5,000 noisy ranges over two attributes. Bars: kernel matrix, factor and all 5,000 estimates in 10 s and
// 1 GB, one more answer in 100 ms. Beside it the eigendecomposition that it does without, of a shorter history, as it grows with the cube.
import { censusUniverse, seededBits } from '../src/evaluation/index.ts'
import { symmetricEigenvalues } from '../src/evaluation/synth/symmetric-eigenvalues.ts'
import { Features } from '../src/inference/kernel/feature.ts'
import { fitKernel } from '../src/inference/kernel/fit.ts'
import { kernelAnswers, kernelRows } from '../src/inference/kernel/kernel-answer.ts'
import { KernelEstimator } from '../src/inference/kernel/kernel-estimator.ts'
import { priorOf } from '../src/inference/kernel/prior/prior.ts'
import { check, type Figure, peakMemory, report } from './harness.ts'
import { ranges, scalar } from './random-answers.ts'

const [count, few] = [5000, 2500]
const records = 200_000
const alpha = 20_000

const timed = <T>(work: () => T): { seconds: number; value: T } => {
  const start = performance.now()
  const value = work()
  return { seconds: (performance.now() - start) / 1000, value }
}

/** A prior that is not flat, as released marginals give one. */
const prior = priorOf(
  censusUniverse,
  censusUniverse.attributes.map(({ size }) => Array.from({ length: size }, (_, code) => 1 / (1 + code))),
)

function run(): Figure[] {
  const features = new Features(censusUniverse, prior)
  const measurements = Array.from({ length: count + 1 }, (_, i) => scalar(ranges(2), i))
  const [more, ...answers] = measurements.flatMap((m) => kernelAnswers(m, censusUniverse, features))
  const matrix = timed(() => kernelRows(answers))
  const estimator = new KernelEstimator({ alpha, records })
  const factor = timed(() => estimator.append(answers, matrix.value))
  const fitted = timed(() => estimator.fitted())
  const estimates = timed(() => answers.map(({ feature }) => estimator.estimate(feature)))
  check(
    estimates.value.every((estimate, i) => Math.abs(estimate - fitted.value[i]!) < 1e-6 * records),
    'estimates of past queries differ from the fitted ones',
  )
  const appended = timed(() => {
    estimator.append([more!])
    return estimator.estimate(more!.feature)
  })
  const part = answers.slice(0, few)
  const short = matrix.value.slice(0, few)
  const shortFactor = timed(() => new KernelEstimator({ alpha, records }).append(part, short))
  const whole = short.map((row, i) => Float64Array.from({ length: few }, (_, j) => (j <= i ? row[j]! : short[j]![i]!)))
  const eigen = timed(() => symmetricEigenvalues(whole))
  const past = { universe: censusUniverse, measurements: measurements.slice(0, few), records }
  const chosen = timed(() => fitKernel(past, { random: seededBits(2).uniform }))
  return [
    { what: 'kernel matrix', value: matrix.seconds, unit: 's' },
    { what: 'factor', value: factor.seconds, unit: 's' },
    { what: 'estimates of all past queries', value: fitted.seconds, unit: 's' },
    { what: 'the three together', value: matrix.seconds + factor.seconds + fitted.seconds, unit: 's', atMost: 10 },
    { what: 'as many estimates of queries as if they were new', value: estimates.seconds, unit: 's' },
    { what: 'one more answer, and its estimate', value: 1000 * appended.seconds, unit: 'ms', atMost: 100 },
    { what: `${few} answers: factor`, value: shortFactor.seconds, unit: 's' },
    { what: `${few} answers: eigenvalues of the same matrix, without vectors`, value: eigen.seconds, unit: 's' },
    { what: `${few} answers: prior and α chosen, and fitted`, value: chosen.seconds, unit: 's' },
  ]
}

const [, , part] = process.argv
if (part === 'run') process.stdout.write(JSON.stringify(run()))
else {
  const { megabytes, output } = peakMemory(import.meta.filename, 'run')
  const memory: Figure = { what: 'memory, at most', value: megabytes, unit: 'MB', atMost: 1024 }
  await report(`The kernel estimate from ${count} answers`, [...(JSON.parse(output) as Figure[]), memory])
}
