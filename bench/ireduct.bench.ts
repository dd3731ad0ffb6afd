// iReduct on the generated census of 10^7 rows, from counts in memory through the shipped meter, at λmax = n/10 and λΔ
// = n/10^6: all 36 two-way marginals (99,698 cells) at ε = 0.1, and all nine one-way ones at ε = 0.01. Beside it the
// loop as the paper has it, which draws every count of a marginal anew at every step.
import { type Counted, countMarginals, generatedTable, openCounted } from '../src/evaluation/marginals/index.ts'
import { fromNumber, type Rational, rational, subtract, toNumber } from '../src/numeric/index.ts'
import {
  allWays,
  type MeasuredMarginals,
  type MethodName,
  measureMarginals,
  OverallError,
  urgencyAsPrinted,
} from '../src/release/index.ts'
import { seal } from '../src/trusted/exact/seal.ts'
import { addNoise, refine } from '../src/trusted/mechanism/index.ts'
import { best, check, type Figure, report } from './harness.ts'

const rows = 10_000_000
const neighbours = 'replace-one' // the paper's: a marginal costs 2/λ
const floorShare = 1e-4
const table = generatedTable(rows, 1)
const oneWay = countMarginals(table, allWays(table.universe, 1))
const twoWay = countMarginals(table, allWays(table.universe, 2))

/**
 * Milliseconds of a release, the ledger's and the meter's work included; the shortest of some, each with a new ledger.
 */
async function released(counted: Counted, method: MethodName, epsilon: number, runs = 6) {
  const contexts: Awaited<ReturnType<typeof openCounted>>[] = []
  for (let i = 0; i <= runs; i++)
    contexts.push(await openCounted(counted, { epsilon: fromNumber(epsilon), neighbours }))
  return best(() => {
    const { context } = contexts.pop()!
    const floor = { kind: 'share', share: floorShare } as const
    const records = { kind: 'known', count: rows } as const
    return measureMarginals(
      { marginals: counted.marginals, method, budget: { epsilon: fromNumber(epsilon) }, floor, records },
      context,
    )
  }, runs)
}

const [start, fine] = [rational(rows, 10), rational(rows, 1_000_000)]

/** How often a count was, or would have been, drawn anew. */
const resamplings = ({ marginals }: MeasuredMarginals, step: Rational): number =>
  marginals.reduce((sum, { values, scale }) => sum + (values.length * (toNumber(start) - scale)) / toNumber(step), 0)

/**
 * The loop of Figure 4 with the exact NoiseDown at every step, on a grid of `levels` steps: scales, and counts drawn.
 */
function stepwise(counted: Counted, epsilon: number, levels: number) {
  const step = rational(start.num, start.den * BigInt(levels))
  const floor = floorShare * rows
  const judged = counted.counts.map(({ length }) => ({ cells: length, floor, unitScale: 2 }))
  const picker = new OverallError(judged, urgencyAsPrinted)
  const scales = counted.counts.map(() => start)
  const exact = counted.counts.map((counts) => seal(counts.slice()))
  const answers = exact.map((counts) => addNoise(counts, { kind: 'laplace', scale: start }))
  for (const [j, values] of answers.entries()) {
    picker.open(j, values)
    picker.review(j, toNumber(start))
  }
  const cells = counted.counts.map((counts) => Int32Array.from(counts.keys()))
  const working = new Set(scales.keys())
  let drawn = 0
  let spent = scales.length * (2 / toNumber(start))
  while (working.size > 0) {
    let [chosen, most] = [-1, -1]
    for (const j of working) {
      const scale = toNumber(scales[j]!)
      const urgency = picker.urgency(j, scale, scale - toNumber(step))
      if (urgency > most) [chosen, most] = [j, urgency]
    }
    const to = subtract(scales[chosen]!, step)
    const rise = to.num > 0n ? 2 / toNumber(to) - 2 / toNumber(scales[chosen]!) : Number.POSITIVE_INFINITY
    if (spent + rise > epsilon) {
      working.delete(chosen)
      continue
    }
    answers[chosen] = refine({ exact: exact[chosen]!, released: answers[chosen]!, from: scales[chosen]!, to })
    const values = answers[chosen]!
    picker.change(chosen, { level: 0, count: values.length, cells: cells[chosen]!, values })
    drawn += values.length
    spent += rise
    scales[chosen] = to
  }
  return { drawn, scales: scales.map(toNumber) }
}

const figures: Figure[] = []
const pairs = await released(twoWay, 'ireduct', 0.1)
figures.push({ what: 'iReduct, 36 two-way marginals, ε = 0.1', value: pairs.milliseconds, unit: 'ms', atMost: 1500 })
const singles = await released(oneWay, 'ireduct', 0.01, 30)
figures.push({
  what: 'iReduct, nine one-way marginals, ε = 0.01',
  value: singles.milliseconds,
  unit: 'ms',
  atMost: 100,
})
for (const method of ['laplace', 'two-phase', 'iresamp'] as const) {
  const { milliseconds } = await released(twoWay, method, 0.1, 3)
  figures.push({ what: `${method}, 36 two-way marginals, ε = 0.1`, value: milliseconds, unit: 'ms' })
}

// On 200 levels instead of 10^5. What a draw costs is taken from there, how many there would be from the fast run's
// scales: each count once for every step that its marginal took. (On the fine grid a draw costs no less: near the top,
// where two neighbouring scales differ by 10^-5, far more.)
const levels = 200
const slow = await best(() => stepwise(twoWay, 0.1, levels), 1)
const perDraw = slow.milliseconds / slow.value.drawn
const draws = resamplings(pairs.value, fine)
const whole = perDraw * draws
figures.push(
  { what: `the paper's loop on ${levels} levels`, value: slow.milliseconds, unit: 'ms' },
  { what: 'counts it drew anew', value: slow.value.drawn / 1e6, unit: 'million' },
  { what: 'counts it would draw anew on 10^5 levels', value: draws / 1e6, unit: 'million' },
  { what: 'which would take', value: whole / 1000, unit: 's' },
  { what: 'iReduct is faster', value: whole / pairs.milliseconds, unit: 'times', atLeast: 300 },
)

const cost = pairs.value.marginals.reduce((sum, { price }) => sum + price, 0)
check(cost <= 0.1 && cost > 0.0999, 'ε is used up and not exceeded')
// 36 marginals at the lowest of 200 levels cost 36·2/5000, less than ε: the slow loop ends there.
check(
  slow.value.scales.every((scale) => scale === toNumber(start) / levels),
  'the slow loop goes down to its lowest level',
)
await report('iReduct', figures)
