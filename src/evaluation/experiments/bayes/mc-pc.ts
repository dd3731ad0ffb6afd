import {
  type ErrorLaw,
  errorLawByCharacteristic,
  errorLawByMonteCarlo,
  errorLawByPaperConvolution,
  samplesOfPaper,
  type Term,
  varianceOfError,
} from '../../../inference/index.ts'
import { type SeededBits, seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import type { Panel } from '../svg.ts'
import { errorOf, referenceMasses } from './inversion.ts'
import { drawHistory, termsOf } from './paper-history.ts'
import { fastest } from './timing.ts'

const gamma = 0.01
/**
 * α is uniform below this. §6.3 does not say what its α are; §6.2 draws them from [0, 1]. There a thousand answers would have
 * spent ε = 500, and the error hides in one of the unit bins of Algorithm 2 (first value of Fig. 7); below 0.02 they
 * have spent 10.
 */
const alpha = 0.02

const methods = ['Monte Carlo', 'convolution', 'Reticent'] as const
type Method = (typeof methods)[number]

interface Timed {
  readonly method: Method
  readonly milliseconds: number
  /** Definition 4.2. */
  readonly error: number
  readonly samples?: number
}

/** Figs 6-8: the law of an estimate's error by Algorithm 1, by Algorithm 2 as written, and by characteristic functions. */
export const mcPc: Experiment = {
  name: 'bayes-mc-pc',
  about: 'time and error of Monte Carlo, convolution and our law of the error (Figs 6-8)',
  run: async (options) => {
    const { quick, seed, progress } = options
    const bits = seededBits(seed)
    const cells = quick ? 10 : 100
    const draw = (m: number, n: number, most = alpha) =>
      termsOf(drawHistory({ m, n, sensitivity: 5, alpha: most }, bits.uniform))
    const rows: (string | number)[][] = []
    const panels: Panel[] = []
    const sweep = (figure: string, label: string, values: readonly number[], terms: (value: number) => Term[]) => {
      const measured = values.map((value) => {
        const { x, timed } = compare(value, terms(value), label, bits, options)
        for (const { method, milliseconds, error } of timed) rows.push([figure, label, x, method, milliseconds, error])
        progress(`${figure}: ${label} = ${Number(x.toPrecision(3))}`)
        return { x, timed }
      })
      panels.push(...(['milliseconds', 'error'] as const).map((y) => panelOf(figure, label, y, measured)))
    }
    sweep('Fig. 6', 'm', quick ? [40, 60] : [300, 500, 1000], (m) => draw(m, cells))
    sweep('Fig. 6', 'n', quick ? [5, 10] : [25, 50, 100], (n) => draw(quick ? 60 : 500, n))
    const alphas = quick ? [1, 0.05] : [1, 0.2, 0.1, 0.05]
    sweep('Fig. 7', 'β', alphas, (most) => draw(quick ? 60 : 1000, cells, most))
    const sampled = draw(quick ? 30 : 200, cells)
    const reference = referenceMasses(sampled, widthOf(sampled))
    for (const samples of quick ? [1e4, 2e4] : [1e5, 2e5, 4e5, 8e5]) {
      const { milliseconds, error } = monteCarlo(sampled, samples, bits, options, reference)
      rows.push(['Fig. 8', 'samples', samples, 'Monte Carlo', milliseconds, error])
      progress(`Fig. 8: ${samples} samples`)
    }
    panels.push(...samplePanels(rows))
    return {
      settings: { gamma, sensitivity: 5, alpha: `uniform on [0, ${alpha}]`, cells, seed },
      header: ['figure', 'varied', 'value', 'method', 'ms', 'error'],
      rows,
      panels,
      notes: [
        'error: Σ (u - E u)² over unit bins (Definition 4.2), against a plain Fourier series.',
        'β = (Σ |A_k| S_k/α_k)². Monte Carlo takes the number of samples of §6.3, at least 10^4.',
      ],
    }
  },
}

const widthOf = (terms: readonly Term[]) => Math.ceil(12 * Math.sqrt(varianceOfError(terms)))
const beta = (terms: readonly Term[]) =>
  terms.reduce((sum, { law, coefficient }) => sum + Math.abs(coefficient) * ('scale' in law ? law.scale : 0), 0) ** 2

function compare(
  value: number,
  terms: readonly Term[],
  label: string,
  bits: SeededBits,
  options: ExperimentOptions,
): { x: number; timed: Timed[] } {
  const { now, quick } = options
  const reference = referenceMasses(terms, widthOf(terms))
  const timed = (method: Method, times: number, run: () => ErrorLaw): Timed => {
    // Without an interval nothing would be computed that is computed when it is first needed.
    const { milliseconds, value } = fastest(now, times, () => {
      const errorLaw = run()
      errorLaw.halfWidth(0.95)
      return errorLaw
    })
    return { method, milliseconds, error: errorOf(value.masses(1), reference) }
  }
  const samples = samplesOfPaper(2 * reference.length - 1, reference[0]!, gamma)
  return {
    x: label === 'β' ? beta(terms) : value,
    timed: [
      monteCarlo(terms, quick ? Math.min(samples, 2e4) : samples, bits, options, reference),
      timed('convolution', 1, () => errorLawByPaperConvolution(terms, gamma)),
      timed('Reticent', 5, () => errorLawByCharacteristic(terms)),
    ],
  }
}

function monteCarlo(
  terms: readonly Term[],
  samples: number,
  { uniform }: SeededBits,
  { now }: ExperimentOptions,
  reference: Float64Array,
): Timed {
  const { milliseconds, value } = fastest(now, 1, () => errorLawByMonteCarlo(terms, { samples, uniform }))
  return { method: 'Monte Carlo', milliseconds, error: errorOf(value.masses(1), reference), samples }
}

const panelOf = (
  figure: string,
  label: string,
  y: 'milliseconds' | 'error',
  measured: readonly { x: number; timed: readonly Timed[] }[],
): Panel => ({
  title: `${figure}: ${y === 'error' ? 'error' : 'time'} against ${label}`,
  x: { label, log: label === 'β' },
  y: { label: y, log: true },
  series: methods.map((name) => ({
    name,
    points: measured.map(({ x, timed }) => [x, timed.find(({ method }) => method === name)![y]] as const),
  })),
})

const samplePanels = (rows: readonly (readonly (string | number)[])[]): Panel[] =>
  (['milliseconds', 'error'] as const).map((label, i) => ({
    title: `Fig. 8: ${label === 'error' ? 'error' : 'time'} against samples`,
    x: { label: 'samples' },
    y: { label, log: label === 'error' },
    series: [
      {
        name: 'Monte Carlo',
        points: rows
          .filter(([figure]) => figure === 'Fig. 8')
          .map((r) => [r[2] as number, r[4 + i] as number] as const),
      },
    ],
  }))
