import { mean, rational } from '../../../numeric/index.ts'
import { allWays, parseWorkload, type SynthMethodName, synthMethodNamed } from '../../../release/index.ts'
import {
  accuracy,
  type CodedTable,
  type Counted,
  countMarginals,
  folds,
  sharedTable,
  trainNaiveBayes,
} from '../../marginals/index.ts'
import { type SeededBits, seededBits } from '../../seeded.ts'
import { logisticAccuracy, openRows, trainLogistic, variationOfModel, variationOfRows } from '../../synth/index.ts'
import { deviation } from '../deviation.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import { inventedCensus } from './invented.ts'
import { bootstrapped, independentColumns } from './resampled.ts'

/** Larger tables say nothing at this size: the bars leave them out. */
const mostCells = 10_000

/** All pairs, and the triples that are not too large. */
interface Exact {
  readonly table: CodedTable
  /** What classifiers are to tell: a binary attribute. */
  readonly target: string
  readonly pairs: Counted
  readonly triples: Counted
}

function exactOf(table: CodedTable, target: string): Exact {
  const size = (name: string) => table.universe.attributes[table.universe.index.get(name)!]!.size
  const cells = (names: readonly string[]) => names.reduce((product, name) => product * size(name), 1)
  const triples = allWays(table.universe, 3).filter((names) => cells(names) <= mostCells)
  return {
    table,
    target,
    pairs: countMarginals(table, allWays(table.universe, 2)),
    triples: countMarginals(table, triples),
  }
}

/** What is asked of a synthetic table, by name. */
interface Reading {
  readonly pairs: number
  readonly triples: number
  /** Of the model itself, before rows are drawn. */
  readonly modelPairs: number
  readonly modelTriples: number
  readonly bayes: number
  readonly logistic: number
  readonly seconds: number
}

/** A table that stands for the real one, and the model that it was drawn from. */
interface StandIn {
  readonly rows: CodedTable
  readonly model?: Parameters<typeof variationOfModel>[1]
}

function reading({ pairs, triples, table, target }: Exact, { rows, model }: StandIn, seconds: number): Reading {
  return {
    pairs: variationOfRows(pairs, rows),
    triples: variationOfRows(triples, rows),
    modelPairs: model ? variationOfModel(pairs, model) : Number.NaN,
    modelTriples: model ? variationOfModel(triples, model) : Number.NaN,
    ...classified(rows, table, target),
    seconds,
  }
}

/** Accuracies on one table of classifiers trained on another. */
function classified(training: CodedTable, testing: CodedTable, target: string): Pick<Reading, 'bayes' | 'logistic'> {
  const { attributes, index } = training.universe
  const place = index.get(target)!
  const features = attributes.flatMap((_, a) => (a === place ? [] : [a]))
  const joint = features.map((a) => [target, attributes[a]!.name])
  const [classes, ...tables] = countMarginals(training, [[target], ...joint]).counts
  return {
    bayes: accuracy(trainNaiveBayes(classes!, tables), testing, place, features),
    logistic: logisticAccuracy(trainLogistic(training, place, features), testing, place),
  }
}

/** One release through the shipped meter: n is bought with its share, and as many rows are drawn. */
async function release(table: CodedTable, method: SynthMethodName, delta: boolean, bits: SeededBits): Promise<StandIn> {
  const { context, budget } = await openRows(table, {
    epsilon: rational(1),
    ...(delta && { delta: rational(1, 10 ** 9) }),
    neighbours: 'add-remove',
  })
  const queries = parseWorkload('2-way', table.universe, bits.uniform)
  const records = { kind: 'bought', share: rational(1, 50) } as const
  // Not all methods ask for a workload.
  const request = { budget, records, history: [], queries }
  const { model } = await synthMethodNamed(method).method.make(request, { ...context, random: bits.uniform })
  const rows = model.rows(table.rows, bits.uniform)
  return { rows: { ...table, columns: rows.map((column) => Uint16Array.from(column)) }, model }
}

/** Who makes a table; what is not private is there to compare with. */
interface Maker {
  readonly promise: string
  readonly method: string
  make(table: CodedTable, bits: SeededBits): Promise<StandIn>
}
const released = (promise: string, method: SynthMethodName, delta: boolean): Maker => ({
  promise,
  method,
  make: (table, bits) => release(table, method, delta, bits),
})
const makers: readonly Maker[] = [
  released('(1, 10^-9)', 'pairs', true),
  released('(1, 10^-9)', 'factored', true),
  released('(1, 10^-9)', 'independent', true),
  released('ε = 1', 'pairs', false),
  released('ε = 1', 'factored', false),
  released('ε = 1', 'independent', false),
  {
    promise: 'none',
    method: 'independent columns',
    make: async (table, bits) => ({ rows: independentColumns(table, bits.uniform) }),
  },
  { promise: 'none', method: 'bootstrap', make: async (table, bits) => ({ rows: bootstrapped(table, bits.uniform) }) },
]

/** Classifiers of real rows, each tenth told by one trained on the others. */
function crossValidated({ table, target }: Exact, seed: number): Pick<Reading, 'bayes' | 'logistic'> {
  const parts = folds(table, 10, seededBits(seed).uniform)
  const found = parts.map((part, left) => classified(joined(parts.filter((_, i) => i !== left)), part, target))
  return { bayes: mean(found.map(({ bayes }) => bayes)), logistic: mean(found.map(({ logistic }) => logistic)) }
}

function joined(parts: readonly CodedTable[]): CodedTable {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const columns = parts[0]!.columns.map((_, c) => {
    const column = new Uint16Array(rows)
    let at = 0
    for (const part of parts) {
      column.set(part.columns[c]!, at)
      at += part.rows
    }
    return column
  })
  return { ...parts[0]!, rows, columns }
}

/** As the header has them. */
function columnsOf(readings: readonly Reading[]): number[] {
  const of = (measure: keyof Reading) => readings.map((each) => each[measure])
  const [pairs, triples] = [of('pairs'), of('triples')]
  const others = (['modelPairs', 'modelTriples', 'bayes', 'logistic', 'seconds'] as const).map((m) => mean(of(m)))
  return [mean(pairs), deviation(pairs), mean(triples), deviation(triples), ...others]
}

/** Synthetic tables of Adult: how far marginals of written rows are off, and what classifiers learn from them. */
export const synthAdult: Experiment = {
  name: 'synth-adult',
  about: 'total variation of the marginals of synthetic rows, and classifiers trained on them, on Adult',
  async run(options) {
    const adult = options.quick ? undefined : sharedTable('adult_pgm')
    const table = adult ?? inventedCensus(['gender', 'race', 'education', 'state'], options.seed)
    const exact = exactOf(table, adult ? 'income_gt_50k' : 'gender')
    const runs = options.quick ? 1 : 10
    const all: Reading[][] = []
    for (const maker of makers) all.push(await readings(maker, exact, runs, options))
    const real = crossValidated(exact, options.seed)
    const rows = makers.map(({ promise, method }, m) => [promise, method, runs, ...columnsOf(all[m]!)])
    const none = Number.NaN
    return {
      settings: {
        rows: table.rows,
        seed: options.seed,
        runs,
        pairs: exact.pairs.counts.length,
        triples: exact.triples.counts.length,
      },
      header: [
        'promise',
        'method',
        'runs',
        'pairs',
        '±',
        'triples',
        '±',
        'model, pairs',
        'model, triples',
        'naive Bayes',
        'logistic',
        's',
      ],
      rows: [...rows, ['none', 'real rows', 10, none, none, none, none, none, none, real.bayes, real.logistic, none]],
      panels: [
        {
          title: 'mean total variation',
          x: { label: '1: pairs, 2: triples', close: true },
          y: { label: 'total variation' },
          series: makers.map(({ promise, method }, m) => ({
            name: `${method}, ${promise}`,
            points: [
              [1, mean(all[m]!.map((each) => each.pairs))],
              [2, mean(all[m]!.map((each) => each.triples))],
            ],
          })),
        },
      ],
      notes: [
        `pairs, triples: mean total variation over all pairs of attributes, and over the triples of at most ${mostCells} cells, of the written rows; model: of the model that they were drawn from. ±: one standard deviation of a run.`,
        'naive Bayes, logistic: share of real rows whose income is told by a classifier trained on the synthetic rows; real rows: by ten-fold cross-validation.',
        'factored: MWEM on a model in parts, all pairs as workload. Add-remove; the number of records is bought with 2% of the budget. independent columns and bootstrap know the table and are not private.',
      ],
    }
  },
}

async function readings(maker: Maker, exact: Exact, runs: number, options: ExperimentOptions): Promise<Reading[]> {
  const found: Reading[] = []
  for (let run = 0; run < runs; run++) {
    const bits = seededBits(options.seed + run)
    const start = options.now()
    const made = await maker.make(exact.table, bits)
    found.push(reading(exact, made, (options.now() - start) / 1000))
    options.progress(`${maker.method}, ${maker.promise}: run ${run + 1} of ${runs}`)
  }
  return found
}
