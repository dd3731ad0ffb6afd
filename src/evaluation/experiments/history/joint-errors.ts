import { mean } from '../../../numeric/index.ts'
import { type CodedTable, countMarginals } from '../../marginals/index.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { epsilon, type Published, published, publishedNote, tablesToPublish } from './published.ts'

/** Joint distributions of three attributes of more cells than this would take the perturbations minutes each. */
const mostCells = 2 ** 12

interface Row {
  readonly table: string
  readonly ways: number
  readonly attributes: string
  readonly cells: number
  /** Err of maximum entropy, retention replacement and flipping. */
  readonly errors: readonly [number, number, number]
}

/** Σ |p - p̃| over two and three attributes, of maximum entropy and of perturbing every record. */
export const jointErrors: Experiment = {
  name: 'history-fig6',
  about: 'errors of joint distributions of two and three attributes in published tables (history paper, Fig. 6)',
  async run(options) {
    const rows: Row[] = []
    const notes: string[] = []
    for (const table of tablesToPublish(options)) {
      const made = await published(table, options)
      rows.push(...errorsOf(made))
      notes.push(fitNote(made))
    }
    return outcomeOf(rows, notes, options)
  },
}

function errorsOf(made: Published): Row[] {
  const { table, synthetic, retention, flipped } = made
  const { attributes } = table.universe
  return setsOf(table).map((set) => {
    const truth = shares(table, set)
    const off = (told: Float64Array) => told.reduce((sum, share, cell) => sum + Math.abs(share - truth[cell]!), 0)
    return {
      table: table.name,
      ways: set.length,
      attributes: set.map((a) => attributes[a]!.name).join(' × '),
      cells: truth.length,
      errors: [off(shares(synthetic, set)), off(retention.joint(set)), off(flipped.joint(set))],
    }
  })
}

/** All pairs, and all triples that are not too large. */
function setsOf({ universe: { attributes } }: CodedTable): number[][] {
  const all = [...attributes.keys()]
  const pairs = all.flatMap((a) => all.slice(a + 1).map((b) => [a, b]))
  const triples = pairs.flatMap(([a, b]) => all.slice(b! + 1).map((c) => [a!, b!, c]))
  const cells = (set: readonly number[]) => set.reduce((n, a) => n * attributes[a]!.size, 1)
  return [...pairs, ...triples.filter((set) => cells(set) <= mostCells)]
}

function shares(table: CodedTable, set: readonly number[]): Float64Array {
  const [counts] = countMarginals(table, [set.map((a) => table.universe.attributes[a]!.name)]).counts
  return counts!.map((count) => count / table.rows)
}

function fitNote({ table, fitted: { parameters }, time }: Published): string {
  const told = Object.entries(parameters).map(([name, value]) =>
    typeof value === 'number' ? `${name} ${Number(value.toPrecision(3))}` : `${name} ${value}`,
  )
  return `${table.name}: measured and fitted in ${(time / 1000).toFixed(1)} s; ${told.join(', ')}.`
}

const methods = ['maximum entropy', 'retention replacement', 'flipping'] as const

function outcomeOf(rows: readonly Row[], notes: readonly string[], { seed }: ExperimentOptions): Outcome {
  const tables = [...new Set(rows.map(({ table }) => table))]
  const of = (table: string, ways: number) => rows.filter((row) => row.table === table && row.ways === ways)
  const means = tables.flatMap((table) =>
    [2, 3].map((ways) => {
      const some = of(table, ways)
      const told = methods.map((name, m) => `${name} ${mean(some.map(({ errors }) => errors[m]!)).toFixed(3)}`)
      const best = some.filter(({ errors: [own, ...others] }) => own < Math.min(...others)).length
      return `${table}, ${some.length} sets of ${ways}: mean Err ${told.join(', ')}; maximum entropy is best in ${best}.`
    }),
  )
  return {
    settings: { seed, epsilon },
    header: ['data', 'ways', 'attributes', 'cells', ...methods],
    rows: rows.map(({ table, ways, attributes, cells, errors }) => [table, ways, attributes, cells, ...errors]),
    panels: tables.flatMap((table) =>
      [2, 3].map((ways) => ({
        title: `${table}: ${ways} attributes`,
        x: { label: 'cells', log: true },
        y: { label: 'Err', log: true },
        series: methods.map((name, m) => ({
          name,
          points: of(table, ways)
            .map(({ cells, errors }) => [cells, errors[m]!] as const)
            .sort(([x], [y]) => x - y),
        })),
      })),
    ),
    notes: [publishedNote, ...means, ...notes, 'Err is at most 2 (Eq. 42).'],
  }
}
