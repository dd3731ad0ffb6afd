// The worst cell's bound on nine attributes after a thousand charges of ε = 1 each. Bars: the next charge is checked in
// 10 ms, and the bound is within 1.15 of the costliest cell that two seconds of search find.
import { one } from '../src/numeric/index.ts'
import { type Factor, type LinearQuery, marginal } from '../src/query/index.ts'
import { attribute, universe } from '../src/schema/index.ts'
import {
  type Charge,
  openAccount,
  type Terms,
  unitsToNumber,
  type WorstCellAccount,
} from '../src/trusted/accounting/index.ts'
import { best, check, type Figure, median, report } from './harness.ts'

const sizes = [101, 2, 4, 26, 29, 5, 5, 512, 4]
const name = (a: number) => `a${a}`
const terms: Terms = {
  universe: universe(
    sizes.map((n, a) => attribute({ kind: 'integer', name: name(a), closed: true, low: 0, high: n - 1 })),
  ),
  privacy: { unit: { kind: 'row' }, neighbours: 'add-remove' },
}

type Draw = (below: number) => number
function seeded(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const choose = (draw: Draw, ways: number): number[] => {
  const chosen = new Set<number>()
  while (chosen.size < ways) chosen.add(draw(sizes.length))
  return [...chosen]
}
const interval = (draw: Draw, n: number): Factor => {
  const [x, y] = [draw(n), draw(n)]
  return { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) }
}
const point = (draw: Draw, n: number): Factor => ({ kind: 'set', codes: [draw(n)] })
const count = (draw: Draw, ways: number, factor: (draw: Draw, n: number) => Factor): LinearQuery => ({
  by: [],
  terms: [
    { coefficient: 1, factors: Object.fromEntries(choose(draw, ways).map((a) => [name(a), factor(draw, sizes[a]!)])) },
  ],
  step: one,
})

const workloads: { [title: string]: (draw: Draw) => LinearQuery } = {
  'three-attribute ranges': (draw) => count(draw, 3, interval),
  'two-attribute ranges': (draw) => count(draw, 2, interval),
  'five-attribute ranges': (draw) => count(draw, 5, interval),
  'three-attribute points': (draw) => count(draw, 3, point),
  'ranges, points and marginals': (draw) =>
    draw(10) === 0 ? marginal(choose(draw, 2).map(name)) : count(draw, 1 + draw(4), draw(2) === 0 ? interval : point),
}
const chargeOf = (query: LinearQuery): Charge => ({ kind: 'measurement', query, law: { kind: 'laplace', scale: one } })

/** The costliest cell found in two seconds: restarts are doubled until the time is up. */
function searched(account: WorstCellAccount): number {
  const end = performance.now() + 2000
  let found = 0
  for (let restarts = 64; performance.now() < end; restarts *= 2) found = account.bestCell(restarts).units
  return found
}

/** As a meter does it: every charge is checked against the cap and then made, whatever the check says. */
function charged(charges: readonly Charge[], cap: number): WorstCellAccount {
  const account = openAccount(terms)
  for (const charge of charges) {
    account.with([charge], cap)
    account.add([charge])
  }
  return account
}

const bar = 1.15
const chargesOf = (draw: Draw, query: (draw: Draw) => LinearQuery, number: number) =>
  Array.from({ length: number }, () => chargeOf(query(draw)))

const [first, ...others] = Object.entries(workloads)
const [headline, ranges] = first!
for (const seed of [1, 2, 3]) {
  const draw = seeded(seed)
  const charges = chargesOf(draw, ranges, 1000)
  const read = openAccount(terms)
  read.add(charges)
  const cell = searched(read)
  // A cap that the bound must be worked down to: what the bar allows for.
  const cap = Math.floor(bar * cell)
  const start = performance.now()
  const account = charged(charges, cap)
  const seconds = (performance.now() - start) / 1000
  const next = chargesOf(draw, ranges, 5)
  const { milliseconds } = await best(() => next.map((charge) => account.with([charge], cap)))
  const bound = account.with([next[0]!], cap)
  check(bound >= cell, 'a cell costs more than the bound says')
  const cold = openAccount(terms)
  cold.add(charges)
  const began = performance.now()
  const again = cold.with([next[0]!], cap)
  const reading = performance.now() - began
  // Where the bound so far and the price together go above the cap, so that tables must be maximised and messages sent.
  const settled = account.spent()
  const hard: number[] = []
  for (const charge of chargesOf(draw, ranges, 21)) {
    const from = performance.now()
    account.with([charge], settled + 9e11)
    hard.push(performance.now() - from)
  }
  await report(`Worst cell: ${headline}, seed ${seed}`, [
    { what: 'costliest cell found in 2 s; the prices add up to 1,000', value: unitsToNumber(cell), unit: 'ε' },
    { what: 'check of the 1,001st, warm', value: milliseconds / next.length, unit: 'ms', atMost: 10 },
    { what: 'checks just above the settled bound, median of 21', value: median(hard), unit: 'ms', atMost: 10 },
    { what: 'the slowest of these', value: Math.max(...hard), unit: 'ms' },
    { what: 'bound for the 1,001st over that cell', value: bound / cell, unit: '×', atMost: bar },
    { what: 'a thousand checks and charges before it', value: seconds, unit: 's', atMost: 10 },
    { what: 'the same check on a ledger just read', value: reading, unit: 'ms' },
    { what: 'its bound over that cell, then', value: again / cell, unit: '×' },
    { what: 'bound once settled, over that cell', value: settled / cell, unit: '×' },
  ])
}

for (const [title, query] of others) {
  const draw = seeded(1)
  const account = openAccount(terms)
  account.add(chargesOf(draw, query, 1000))
  const cell = searched(account)
  const began = performance.now()
  const settled = account.spent()
  const settling = performance.now() - began
  check(settled >= cell, 'a cell costs more than the bound says')
  const next = chargesOf(draw, query, 5)
  const { milliseconds } = await best(() => next.map((charge) => account.with([charge], 1.05 * settled)))
  const figures: Figure[] = [
    { what: 'costliest cell found in 2 s; the prices add up to 1,000', value: unitsToNumber(cell), unit: 'ε' },
    { what: 'bound once settled, over that cell', value: settled / cell, unit: '×' },
    { what: 'settling, from a ledger just read', value: settling, unit: 'ms' },
    { what: 'check of the 1,001st, at a cap of 1.05 × that bound', value: milliseconds / next.length, unit: 'ms' },
  ]
  await report(`Worst cell: ${title}`, figures)
}
