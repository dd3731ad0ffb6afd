import { priceParts } from '../../../answer/index.ts'
import { rational, toNumber } from '../../../numeric/index.ts'
import { countAll, marginal } from '../../../query/index.ts'
import { releaseTree } from '../../../release/index.ts'
import { likelihood } from '../feature.ts'
import { type Mechanism, type Output, pairsOf } from '../mechanism.ts'
import { epsilon, few, openTable, people, published, row, type Table } from './people.ts'

const buyer = { analyst: null, statement: null }

/** A count of scale 2, and then its refinement to 1/2, which spends the rest of the cap. */
async function refineOnce(rows: Table): Promise<Output> {
  const { book, meter } = await openTable(rows, {})
  const law = { kind: 'laplace', scale: rational(2) } as const
  const { measurements } = await meter.measure({ ...buyer, charges: [{ query: countAll, law }] })
  const parent = measurements[0]!.id
  await meter.refine({ ...buyer, parent, law: { kind: 'laplace', scale: rational(1, 2) } })
  return published(book)
}

/** Two answers that come down in turns as far as the run's reservation lets them; all that is revealed on the way is seen. */
async function runOnce(rows: Table): Promise<Output> {
  const { meter } = await openTable(rows, {})
  const grid = { first: rational(4), step: rational(1), count: 4 }
  const run = await meter.openRun({ ...buyer, epsilon, queries: [countAll, marginal(['sex'])], grid })
  const seen: (number | bigint)[] = []
  for (let level = 0; level < grid.count; level++)
    for (const query of [0, 1]) {
      run.lower(query, level)
      seen.push(...run.values(query))
    }
  await run.close()
  return seen
}

/** A tree over the four ages: of all, of pairs, and each by itself. */
async function treeOnce(rows: Table): Promise<Output> {
  const { book, meter } = await openTable(rows, {})
  const shape = { of: ['age'], fanOut: 2 }
  await releaseTree(people, shape, {
    noise: (parts) => priceParts({ parts }, epsilon, book).map(({ law }) => law),
    meter: { measure: (charges) => meter.measure({ ...buyer, charges }) },
  })
  return published(book)
}

const inputs = [['a person joins', few, [...few, row(4, 'f', 2)]]] as const
const claim = { epsilon: toNumber(epsilon), delta: 0 }

/** What the meter sells besides plain measurements. */
export const meterMechanisms: readonly Mechanism[] = [
  {
    name: 'meter-refinement',
    kind: 'shipped',
    about: 'a count and its refinement, through the meter',
    claim,
    pairs: pairsOf(inputs, refineOnce),
  },
  {
    name: 'meter-run',
    kind: 'shipped',
    about: 'a run of two answers revealed step by step, through the meter',
    claim,
    pairs: pairsOf(inputs, runOnce),
    // All that came before is the last level and noise.
    features: [likelihood('likelihood ratios of the last level', ...[-3, -2, -1].map((i) => (o: Output) => o.at(i)!))],
  },
  {
    name: 'meter-tree',
    kind: 'shipped',
    about: 'a tree of counts over an attribute, through the meter',
    claim,
    pairs: pairsOf(inputs, treeOnce),
    // Who joins is 2 years old: in the first group of all, in the second of the pairs, in the third of the ages.
    features: [
      likelihood('likelihood ratios of the groups that change', ...[0, 2, 5].map((i) => (o: Output) => o[i]!)),
    ],
  },
]
