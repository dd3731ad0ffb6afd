import { mean } from '../../../numeric/index.ts'
import { allWays, nearestTable } from '../../../release/index.ts'
import {
  type Counted,
  countMarginals,
  errorOfZeros,
  generatedTable,
  overallError,
  sharedTable,
} from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import { floorShare, released } from './released.ts'

const steps = ['measured', 'max(y, 0)', 'combined', 'nearest', 'published'] as const

/** The tables after each step: as measured, without negative counts, made to agree, projected, and as they are published. */
async function tablesByStep(counted: Counted, epsilon: number, random: () => number) {
  const { measured, consistent } = await released(counted, epsilon, random)
  const values = measured.map((each) => Float64Array.from(each.values, Number))
  return {
    measured: values,
    'max(y, 0)': values.map((table) => table.map((y) => Math.max(y, 0))),
    combined: consistent.combined,
    nearest: consistent.combined.map((table) => nearestTable(table, counted.records)),
    published: consistent.counts,
  }
}

/** One line: a table at an ε, the mean error after each step over several releases. */
async function errorsByStep(counted: Counted, epsilon: number, runs: number, random: () => number): Promise<number[]> {
  const floor = floorShare * counted.records
  const errors = new Map<string, number[]>(steps.map((step) => [step, []]))
  for (let run = 0; run < runs; run++) {
    const tables = await tablesByStep(counted, epsilon, random)
    for (const step of steps) errors.get(step)!.push(overallError(counted.counts, tables[step], floor))
  }
  return [...steps.map((step) => mean(errors.get(step)!)), errorOfZeros(counted.counts, floor)]
}

function cases({ quick, seed }: ExperimentOptions) {
  if (quick) return [{ table: generatedTable(20_000, seed), epsilons: [1] }]
  const [census, acs] = [sharedTable('census_income'), sharedTable('acs2016')]
  return [
    ...(census ? [{ table: census, epsilons: [0.1, 1, 10] }] : []),
    ...(acs ? [{ table: acs, epsilons: [1] }] : []),
    { table: generatedTable(1_000_000, seed), epsilons: [0.1, 1] },
  ]
}

/** What is gained by what is done with noisy tables after they were measured. */
export const afterwards: Experiment = {
  name: 'marginals-afterwards',
  about: 'overall error of all two-way marginals after each step from measured to published tables',
  async run(options) {
    const runs = options.quick ? 1 : 5
    const { uniform } = seededBits(options.seed)
    const rows: (string | number)[][] = []
    for (const { table, epsilons } of cases(options)) {
      const counted = countMarginals(table, allWays(table.universe, 2))
      for (const epsilon of epsilons) {
        rows.push([table.name, epsilon, ...(await errorsByStep(counted, epsilon, runs, uniform))])
        options.progress(`${table.name}, ε = ${epsilon}`)
      }
    }
    const header = [...steps, 'zeros']
    return {
      settings: { runs, seed: options.seed, 'floor/n': floorShare },
      header: ['data', 'ε', ...header],
      rows,
      panels: [
        {
          title: 'overall error by step',
          x: { label: header.map((step, i) => `${i + 1}: ${step}`).join(', '), close: true },
          y: { label: 'overall error', log: true },
          series: rows.map(([name, epsilon, ...errors]) => ({
            name: `${name}, ε = ${epsilon}`,
            points: errors.map((error, i) => [i + 1, error as number] as const),
          })),
        },
      ],
      notes: [
        'iReduct, replace-one, means over the runs. nearest: combined, then the nearest table without negative counts and of the right total. zeros: the error of tables of zeros.',
      ],
    }
  },
}
