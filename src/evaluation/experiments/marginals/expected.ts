import { mean } from '../../../numeric/index.ts'
import { allWays } from '../../../release/index.ts'
import { type CodedTable, countMarginals, mixedTable, sharedTable, smallTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import type { Panel } from '../svg.ts'
import { type Summary, summary } from './summary.ts'
import { type ToldErrors, toldErrors, type Way } from './told.ts'

const ways: readonly (Way & { readonly ways: number })[] = [
  { ways: 1, method: 'ireduct', epsilon: 0.02 },
  { ways: 1, method: 'ireduct', epsilon: 0.1 },
  { ways: 1, method: 'laplace', epsilon: 0.1 },
  { ways: 1, method: 'two-phase', epsilon: 1 },
  { ways: 1, method: 'ireduct', epsilon: 1, floor: 100 },
  { ways: 2, method: 'ireduct', epsilon: 0.2 },
  { ways: 2, method: 'laplace', epsilon: 0.2 },
  { ways: 2, method: 'ireduct', epsilon: 1 },
  { ways: 2, method: 'laplace', epsilon: 1 },
  { ways: 2, method: 'ireduct', epsilon: 1, floor: 100 },
  { ways: 2, method: 'gaussian', epsilon: 1 },
  { ways: 2, method: 'ireduct', epsilon: 10 },
]
const quickWays = ways.filter(({ method, epsilon }) => method === 'laplace' && epsilon >= 0.1)

function tables({ quick, seed }: ExperimentOptions): CodedTable[] {
  if (quick) return [smallTable(seed, 20_000)]
  const shared = (['census_income', 'acs2016'] as const).map((name) => sharedTable(name))
  return [...shared.filter((table) => table !== undefined), smallTable(seed), mixedTable(seed)]
}

/** Whether releases of marginals tell their own errors rightly. */
export const expected: Experiment = {
  name: 'marginals-expected',
  about: 'how often the expected error of released marginals is true within a factor of 1.5',
  async run(options) {
    const { uniform } = seededBits(options.seed)
    const runs = options.quick ? 2 : 8
    const rows: (string | number)[][] = []
    const all: Summary[] = []
    const panels: Panel[] = []
    for (const table of tables(options)) {
      const first = all.length
      for (const way of options.quick ? quickWays : ways) {
        const counted = countMarginals(table, allWays(table.universe, way.ways))
        const floor = way.floor ?? Math.max(10, 1e-4 * table.rows)
        const releases: ToldErrors[] = []
        for (let run = 0; run < runs; run++) releases.push(await toldErrors(counted, { ...way, floor }, uniform))
        const found = summary(releases)
        all.push(found)
        rows.push([table.name, way.ways, way.method, way.epsilon, floor, ...cells(found)])
        options.progress(`${table.name}, ${way.ways}-way, ${way.method}, ε = ${way.epsilon}`)
      }
      panels.push(panelOf(table.name, all.slice(first)))
    }
    const keys = Object.keys(all[0]!) as (keyof Summary)[]
    const whole = Object.fromEntries(keys.map((key) => [key, mean(all.map((one) => one[key]))])) as unknown as Summary
    rows.push(['all', '', '', '', '', '', '', '', ...cells(whole).slice(3)])
    return {
      settings: { runs, seed: options.seed },
      header: ['data', 'ways', 'method', 'ε', 'floor', ...keys],
      rows,
      panels,
      notes: [
        'Replace-one, n known. told, is, zeros: overall errors of the published counts, as told and as they are, and of tables of zeros; means over the releases.',
        'overall, median, measured: the share of releases whose told error is true within a factor of 1.5, for the mean over tables, their median, and the measured values’ mean.',
        'tables: the same share of all tables, held against the table’s mean error over the releases. best: of releases, if the mean of the other releases’ errors were told.',
        'warned: “mostly noise”; false: although tables of zeros are worse; silent: no warning although they are better.',
      ],
    }
  },
}

const cells = (found: Summary): number[] => Object.values(found)

/** Errors as told against those that there are, from the smallest to the largest. */
function panelOf(title: string, found: readonly Summary[]): Panel {
  const sorted = found.toSorted((a, b) => a.is - b.is)
  return {
    title,
    x: { label: 'overall error', log: true },
    y: { label: 'as told', log: true },
    series: [
      { name: 'told', points: sorted.map(({ is, told }) => [is, told]) },
      { name: 'true', points: sorted.map(({ is }) => [is, is]) },
    ],
  }
}
