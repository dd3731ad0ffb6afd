import { mean } from '../../../numeric/index.ts'
import { allWays } from '../../../release/index.ts'
import {
  type CodedTable,
  type Counted,
  countMarginals,
  errorOfZeros,
  generatedTable,
  meanReciprocal,
  oracleScales,
  overallError,
  sharedTable,
  smallTable,
} from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import { deviation } from '../deviation.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import { model, tablesFor } from './data.ts'
import { type Name, names, printed, releaseAll, type Setting } from './release.ts'

/** What a promise is about: the marginals of one or two attributes, at one ε, mean of so many runs. */
interface Bar {
  readonly ways: 1 | 2
  readonly epsilon: number
  readonly runs: number
  /** Of the number of records; 10⁻⁴ unless said. */
  readonly floorShare?: number
}
/** A table, and what is measured on it. */
interface Case {
  readonly table: CodedTable
  readonly bars: readonly Bar[]
}

const compared: readonly Name[] = [...names, printed]

/** Few cells vary much from run to run; the promises are about census_income. */
const barsOf = ({ name }: CodedTable): readonly Bar[] => [
  { ways: 1, epsilon: 0.01, runs: name === 'census_income' ? 400 : 40 },
  { ways: 2, epsilon: 0.1, runs: name === 'census_income' ? 20 : 5 },
  { ways: 2, epsilon: 1, runs: name === 'census_income' ? 20 : 5 },
]
const barsOfSmall: readonly Bar[] = [{ ways: 2, epsilon: 0.2, runs: 20 }]

const settingOf = ({ ways, epsilon, floorShare = 1e-4 }: Bar): Setting => ({
  epsilon,
  floorShare,
  firstShare: ways === 1 ? 0.07 : 0.025,
})

/** The expected overall error of the oracle's scales, which a mean of runs only comes near. */
function expectedOracle({ counts }: Counted, epsilon: number, floor: number): number {
  const scales = oracleScales(counts, { epsilon, floor, unitPrice: 2 })
  return mean(scales.map((scale, m) => scale * meanReciprocal(counts[m]!, floor)))
}

type Row = readonly (string | number)[]

async function rowsOf(table: CodedTable, bar: Bar, { quick, seed, progress }: ExperimentOptions): Promise<Row[]> {
  const counted = countMarginals(table, allWays(table.universe, bar.ways))
  const setting = settingOf(bar)
  const floor = setting.floorShare * table.rows
  const runs = quick ? 2 : bar.runs
  const bits = seededBits(seed)
  const errors = new Map<string, number[]>()
  for (let run = 0; run < runs; run++)
    for (const [name, values] of await releaseAll(counted, setting, compared, bits))
      errors.set(name, [...(errors.get(name) ?? []), overallError(counted.counts, values, floor)])
  progress(`${table.name}: ${bar.ways}-way, ε = ${bar.epsilon}`)
  const oracle = expectedOracle(counted, bar.epsilon, floor)
  const row = (name: string, values: readonly number[]): Row => {
    const middle = mean(values)
    return [
      table.name,
      table.rows,
      bar.ways,
      bar.epsilon,
      setting.floorShare,
      name,
      values.length,
      middle,
      standardError(values),
      middle / oracle,
    ]
  }
  const zeros = errorOfZeros(counted.counts, floor)
  return [
    ...compared.filter((name) => errors.has(name)).map((name) => row(name, errors.get(name)!)),
    [table.name, table.rows, bar.ways, bar.epsilon, setting.floorShare, 'zeros', 1, zeros, 0, zeros / oracle],
  ]
}

/** Of the mean. */
const standardError = (values: readonly number[]): number => deviation(values) / Math.sqrt(values.length)

interface Comparison {
  readonly name: string
  readonly about: string
  readonly cases: (options: ExperimentOptions) => { readonly cases: readonly Case[]; readonly notes: readonly string[] }
}

/** Every method beside Oracle, on some tables. */
const comparison = ({ name, about, cases: casesFor }: Comparison): Experiment => ({
  name,
  about,
  run: async (options) => {
    const { cases, notes } = casesFor(options)
    const groups: Row[][][] = []
    for (const { table, bars } of cases) {
      const rows: Row[][] = []
      for (const bar of bars) rows.push(await rowsOf(table, bar, options))
      groups.push(rows)
    }
    return {
      settings: { model, seed: options.seed },
      header: ['data', 'rows', 'ways', 'ε', 'floor/n', 'method', 'runs', 'error', '±', "of Oracle's"],
      rows: groups.flat(2),
      panels: cases.map(({ table, bars }, t) => ({
        title: table.name,
        x: { label: bars.map(({ ways, epsilon }, i) => `${i + 1}: ${ways}-way, ε ${epsilon}`).join('; '), close: true },
        y: { label: "of Oracle's error", log: true },
        series: [...compared, 'zeros'].map((name) => ({
          name,
          points: groups[t]!.flatMap((rows, i) =>
            rows.filter((row) => row[5] === name).map((row) => [i + 1, row[9] as number] as const),
          ),
        })),
      })),
      notes: [
        "±: standard error of the mean. of Oracle's: over the expected error of Oracle's scales, not the mean of its runs.",
        'iReduct as printed: noisy counts are taken at their word; iReduct: in view of what noise may hide.',
        `Model: ${model}.`,
        ...notes,
      ],
    }
  },
})

/** The points of Figs 6 and 8 that promises are about, with many runs, and a table that is too small for the paper's. */
export const bars: Experiment = comparison({
  name: 'ireduct-bars',
  about: 'overall error of every method beside that of Oracle, where promises are made, and on a small table',
  cases(options) {
    const { tables, notes } = tablesFor(options)
    return {
      cases: [
        ...tables.map((table) => ({ table, bars: options.quick ? barsOf(table).slice(0, 1) : barsOf(table) })),
        { table: smallTable(options.seed), bars: barsOfSmall },
      ],
      notes,
    }
  },
})

/** Other sizes and other floors: where counts are large against the noise, and where they are not. */
export const elsewhere: Experiment = comparison({
  name: 'ireduct-elsewhere',
  about: 'overall error of every method beside that of Oracle, on tables of other sizes and with other floors',
  cases({ quick, seed }) {
    const oneWay = (epsilon: number, floorShare = 1e-4): Bar => ({ ways: 1, epsilon, floorShare, runs: 100 })
    const small = { table: generatedTable(20_000, seed), bars: [oneWay(0.2)] }
    if (quick) return { cases: [small], notes: [] }
    const [census, acs] = [sharedTable('census_income'), sharedTable('acs2016')]
    return {
      cases: [
        ...(census ? [{ table: census, bars: [oneWay(0.01, 1e-5)] }] : []),
        ...(acs ? [{ table: acs, bars: [oneWay(0.1)] }] : []),
        small,
        { table: generatedTable(1_000_000, seed), bars: [oneWay(0.01, 1e-6)] },
        { table: generatedTable(10_000_000, seed), bars: [oneWay(0.002)] },
      ],
      notes: [],
    }
  },
})
