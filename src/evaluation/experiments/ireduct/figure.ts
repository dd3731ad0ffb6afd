import type { CodedTable } from '../../marginals/index.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import type { Axis } from '../svg.ts'
import { model, tablesFor } from './data.ts'

/** The numbers above one value of the bottom axis, by line; a line that has nothing to show there is left out. */
export type Reading = ReadonlyMap<string, number>

/** A figure of §6: one number varies along the bottom, one panel per table, one line per method. */
interface Figure {
  readonly name: string
  readonly about: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly string[]
  readonly values: readonly number[]
  /** With --quick. */
  readonly quickValues: readonly number[]
  readonly settings: Outcome['settings']
  readonly notes: readonly string[]
  /** Looks at a table once, and then reads off what belongs above a value. */
  reader(table: CodedTable, options: ExperimentOptions): (value: number) => Promise<Reading>
}

export const experimentOf = (figure: Figure): Experiment => ({
  name: figure.name,
  about: figure.about,
  run: async (options) => {
    const { tables, notes } = tablesFor(options)
    const { x, y, lines } = figure
    const values = options.quick ? figure.quickValues : figure.values
    const readings: Reading[][] = []
    for (const table of tables) {
      const read = figure.reader(table, options)
      const along: Reading[] = []
      for (const value of values) {
        along.push(await read(value))
        options.progress(`${table.name}: ${x.label} = ${value}`)
      }
      readings.push(along)
    }
    const at = (t: number, i: number, line: string) => readings[t]![i]!.get(line) ?? Number.NaN
    return {
      settings: { model, rows: tables.map(({ rows }) => rows), seed: options.seed, ...figure.settings },
      header: ['data', x.label, ...lines],
      rows: tables.flatMap(({ name }, t) => values.map((value, i) => [name, value, ...lines.map((l) => at(t, i, l))])),
      panels: tables.map(({ name }, t) => ({
        title: name,
        x,
        y,
        series: lines.map((line) => ({ name: line, points: values.map((v, i) => [v, at(t, i, line)] as const) })),
      })),
      notes: [...figure.notes, `Model: ${model}.`, ...notes],
    }
  },
})
