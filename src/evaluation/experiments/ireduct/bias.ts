import { mean, rational } from '../../../numeric/index.ts'
import { type MethodName, measureMarginals } from '../../../release/index.ts'
import { openCounted, overallError } from '../../marginals/index.ts'
import type { Experiment } from '../experiment.ts'
import { records, sixQuestions, yes } from '../six-questions.ts'

interface Method {
  readonly name: string
  readonly method: MethodName
  readonly asPrinted?: true
}
const methods: readonly Method[] = [
  { name: 'Laplace', method: 'laplace' },
  { name: 'iReduct', method: 'ireduct' },
  { name: 'iReduct as printed', method: 'ireduct', asPrinted: true },
  { name: 'TwoPhase', method: 'two-phase' },
  { name: 'iResamp', method: 'iresamp' },
]
const [epsilon, floor] = [rational(1, 10), 20]

/** The tables of one release, as measured. */
async function release({ method, asPrinted }: Method): Promise<readonly Float64Array[]> {
  const { context } = await openCounted(sixQuestions, { epsilon, neighbours: 'add-remove' })
  const request = {
    marginals: sixQuestions.marginals,
    method,
    budget: { epsilon },
    floor: { kind: 'count', count: floor },
    records: { kind: 'known', count: records },
    firstShare: rational(1, 10),
    ...(asPrinted ? { asPrinted } : {}),
  } as const
  const { marginals } = await measureMarginals(request, context)
  return marginals.map(({ values }) => values)
}

/** What choosing scales by what was seen does to the mean of a count, beside the error that it lowers. */
export const bias: Experiment = {
  name: 'ireduct-bias',
  about: 'mean error of counts whose noise was chosen by what it showed, beside the overall error',
  run: async ({ quick, seed, progress }) => {
    const runs = quick ? 4 : 1000
    const rows: (string | number)[][] = []
    for (const method of methods) {
      const made: (readonly Float64Array[])[] = []
      for (let i = 0; i < runs; i++) made.push(await release(method))
      progress(`${method.name}: ${runs} runs`)
      rows.push([
        method.name,
        mean(made.map((tables) => overallError(sixQuestions.counts, tables, floor))),
        ...biases(made),
      ])
    }
    return {
      settings: { epsilon: 0.1, floor, records, runs, seed },
      header: ['method', 'overall error', ...yes.map((count) => `bias at ${count}`)],
      rows,
      panels: [
        {
          title: 'Mean error of a count',
          x: { label: 'exact count', close: true },
          y: { label: 'bias', close: true },
          series: rows.map(([name, , ...shown]) => ({
            name: String(name),
            points: yes.map((count, j) => [count, Number.parseFloat(String(shown[j]))] as const),
          })),
        },
      ],
      notes: [
        'Six questions with yes or no, 2,000 records; the bias is of the number of yes, ± its standard error. Noise is the operating system’s.',
      ],
    }
  },
}

/** The mean error of every count, and its standard error. */
const biases = (made: readonly (readonly Float64Array[])[]): string[] =>
  yes.map((count, j) => {
    const errors = made.map((tables) => tables[j]![1]! - count)
    const [average, squares] = [mean(errors), mean(errors.map((e) => e * e))]
    return `${average.toFixed(1)} ± ${Math.sqrt((squares - average ** 2) / errors.length).toFixed(1)}`
  })
