import { multiply, rational, toNumber } from '../../../numeric/index.ts'
import { countAll, type LinearQuery, marginal } from '../../../query/index.ts'
import type { Draws } from '../../../trusted/meter/index.ts'
import { likelihood } from '../feature.ts'
import { type Mechanism, type Output, type Pair, pairsOf, type Run } from '../mechanism.ts'
import { epsilon, few, openTable, row, type Table } from './people.ts'

const ages = (from: number, to: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from, to } } }],
})

/**
 * Who joins is 2 years old and counts in all of these. The model has nobody in the first, so that its distance rises by
 * one; of the others it has far too many, so that theirs fall. Penalties bring all scores close to each other.
 */
const queries = [countAll, ages(2, 2), ages(1, 2), ages(2, 3), ages(0, 2), ages(1, 3), ages(0, 3), ages(0, 2)]
const model = [0, 9, 9, 9, 9, 9, 9, 9]
const counts = (rows: Table) => {
  const between = (from: number, to: number) =>
    rows.filter(({ age }) => Number(age) >= from && Number(age) <= to).length
  return [
    rows.length,
    between(2, 2),
    between(1, 2),
    between(2, 3),
    between(0, 2),
    between(1, 3),
    rows.length,
    between(0, 2),
  ]
}
const distances = (rows: Table) => counts(rows).map((count, c) => Math.abs(count - model[c]!))
const penalties = distances(few).map((distance, c) => distance + (c === 0 ? 1 : 0))

/** Choices at ε, each an output of its own. A run is opened for so many of them: what is slow is to open it. */
const choicesInARun = 1000

function choosing(rows: Table): Run {
  let draws: Draws | undefined
  let left = 0
  return async () => {
    if (!draws || left === 0) {
      const cap = multiply(rational(choicesInARun), epsilon)
      const { meter } = await openTable(rows, { epsilon: cap })
      draws = await meter.openDraws({ queries, epsilon: cap, analyst: null, statement: null })
      left = choicesInARun
    }
    left--
    return [`query ${draws.select({ candidates: [...queries.keys()], model, penalties, epsilon })}`]
  }
}

async function scoreOnce(rows: Table): Promise<Output> {
  const { meter } = await openTable(rows, {})
  const draws = await meter.openDraws({ queries: [marginal(['age'])], epsilon, analyst: null, statement: null })
  const far = draws.score({ query: 0, scale: rational(1, 2), model: [1, 1, 0, 1] })
  await draws.close()
  return [far]
}

/** A choice for half of ε, and then an answer to what was chosen for the rest. */
async function chooseAndDraw(rows: Table): Promise<Output> {
  const { meter } = await openTable(rows, {})
  const draws = await meter.openDraws({ queries, epsilon, analyst: null, statement: null })
  const chosen = draws.select({ candidates: [...queries.keys()], model, penalties, epsilon: rational(1) })
  const [value] = draws.draw({ query: chosen, scale: rational(1) })
  await draws.close()
  return [chosen, value!]
}

/** The loss of one choice at ε, from its law. */
function lossOfChoice(left: Table, right: Table): number {
  const lawOf = (rows: Table) => {
    const weights = distances(rows).map((distance, c) => Math.exp((toNumber(epsilon) / 2) * (distance - penalties[c]!)))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return weights.map((weight) => weight / total)
  }
  const [p, q] = [lawOf(left), lawOf(right)]
  return Math.max(...p.map((v, i) => Math.abs(Math.log(v / q[i]!))))
}

const more = [...few, row(4, 'f', 2)]
const joining = [['a person joins', few, more]] as const
/** Also for the control that counts them by half. */
export const choicePairs: readonly Pair[] = joining.map(([name, left, right]) => ({
  name,
  left: choosing(left),
  right: choosing(right),
}))
const claim = { epsilon: toNumber(epsilon), delta: 0 }

/** What a run sells besides answers. */
export const choiceMechanisms: readonly Mechanism[] = [
  {
    name: 'meter-select',
    kind: 'shipped',
    about: 'a choice among eight queries, through the meter',
    claim,
    pairs: choicePairs,
    exact: () => lossOfChoice(few, more),
  },
  {
    name: 'meter-score',
    kind: 'shipped',
    about: 'the noisy distance of a table from a model, through the meter',
    claim,
    pairs: pairsOf(joining, scoreOnce),
    exact: () => toNumber(epsilon),
  },
  {
    name: 'meter-choose-and-draw',
    kind: 'shipped',
    about: 'a choice, and an answer to what was chosen, through the meter',
    claim,
    pairs: pairsOf(joining, chooseAndDraw),
    features: [likelihood('likelihood ratios of choice and answer', (o: Output) => `${o[0]} ${o[1]}`)],
  },
]
