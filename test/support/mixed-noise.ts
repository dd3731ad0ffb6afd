import { seededBits } from '../../src/evaluation/index.ts'
import {
  errorLawByCharacteristic,
  type Law,
  type Term as NoiseTerm,
  openHistory,
  sampler,
  varianceOfError,
} from '../../src/inference/index.ts'
import { fromNumber, one, toNumber } from '../../src/numeric/index.ts'
import {
  answerSize,
  combine,
  countAll,
  type Factor,
  groupOf,
  type LinearQuery,
  type Measurement,
  marginal,
  type NoiseLaw,
  type Term,
  weightAt,
} from '../../src/query/index.ts'
import { type Universe, universe } from '../../src/schema/index.ts'
import { integers } from './estimates.ts'
import { exactEstimates } from './exact-estimate.ts'
import { cellsOf } from './queries.ts'

/** What came of histories whose noises have scales from 10^low to 10^high. */
export interface Outcome {
  asked: number
  told: number
  /** Told, and the truth lies outside of the 95% interval. */
  missed: number
  /** Determined, and not told, since doubles do not carry it. */
  withheld: number
  /** Told from a part of the history. */
  partly: number
  /** The worst difference from the best estimate without rounding: beyond stated rounding, in deviations that explain it. */
  off: number
  /** The worst variance, as shares: above the least, and below the least or below that of its coefficients. */
  above: number
  below: number
}

/** Asked of every history. */
const questions = 6

/**
 * So many of these answers may be missed by intervals that hold 95%, but for a chance of 10^-6: 4.89 deviations, with the
 * answers of one history all right or wrong together.
 */
export const mostMissed = (told: number): number => 0.05 * told + 4.89 * Math.sqrt(questions * told * 0.05 * 0.95)

/** One random history after the other, and random questions to each; all of it follows from the seed. */
export function mixedNoise(histories: number, [low, high]: readonly [number, number], seed: number): Outcome {
  const { uniform } = seededBits(seed)
  const outcome: Outcome = { asked: 0, told: 0, missed: 0, withheld: 0, partly: 0, off: 0, above: 0, below: 0 }
  for (let i = 0; i < histories; i++) new MixedHistory(uniform, low, high).ask(questions, outcome)
  return outcome
}

/** A recorded number, as the exact twin has it. */
interface Row {
  readonly row: readonly bigint[]
  readonly value: number
  readonly variance: number
}

/** A small table, and noisy answers about it whose scales are anything, log-uniform. */
class MixedHistory {
  readonly #uniform: () => number
  readonly #universe: Universe
  readonly #cells: readonly (readonly number[])[]
  readonly #counts: readonly number[]
  readonly #laws: readonly NoiseLaw[]
  readonly #measured: Measurement[] = []
  /** By the measurement that it refines. */
  readonly #parents = new Map<Measurement, Measurement>()

  constructor(uniform: () => number, low: number, high: number) {
    this.#uniform = uniform
    const sizes = this.#pick([[6], [3, 4], [2, 5], [2, 2, 3], [4, 2]])
    this.#universe = universe(sizes.map((n, i) => integers('abc'[i]!, n)))
    this.#cells = [...cellsOf(this.#universe)].map((cell) => [...cell])
    const most = 10 ** (6 * uniform())
    this.#counts = this.#cells.map(() => Math.floor(most * uniform()))
    // Few laws for many answers: the twin's integers stay short.
    this.#laws = Array.from({ length: 2 + this.#below(3) }, () => {
      const scale = Number((10 ** (low + (high - low) * uniform())).toPrecision(3))
      return scale > 2 && uniform() < 0.25
        ? { kind: 'gaussian', variance: fromNumber(Number((scale * scale).toPrecision(3))) }
        : { kind: 'laplace', scale: fromNumber(scale) }
    })
    const count = 2 + this.#below(8)
    for (let i = 0; i < count; i++) this.#measure(this.#pick(this.#laws), this.#anyQuery())
  }

  ask(count: number, outcome: Outcome): void {
    const history = openHistory(this.#universe, { random: this.#uniform })
    const isEarly = this.#uniform() < 0.5
    for (const measurement of this.#measured) {
      const parent = this.#parents.get(measurement)
      history.append(measurement, parent && { replaces: parent.id })
      if (isEarly) history.estimate(countAll)
    }
    const queries = Array.from({ length: count }, () => this.#question())
    const twins = exactEstimates(
      this.#exact(),
      queries.map((query) => this.#rowsOf(query)[0]!),
    )
    for (const [n, query] of queries.entries()) {
      const estimate = history.estimate(query)
      const twin = twins[n]
      outcome.asked++
      if (!estimate.estimable) {
        // What is 0 for every record is no question.
        if (twin && twin.variance > 0 && estimate.imprecise) outcome.withheld++
        continue
      }
      outcome.told++
      if (estimate.leftOut + estimate.dwarfed > 0) outcome.partly++
      const { coefficients, rounding, variance } = estimate
      const { halfWidth } = errorLawByCharacteristic(coefficients, { rounding: rounding.estimate })
      if (!(Math.abs(estimate.estimate - this.#truth(query)) <= halfWidth(0.95) * (1 + 1e-9))) outcome.missed++
      const step = toNumber(query.step)
      const least = twin ? step * step * twin.variance * 2 ** -unitBits : Number.POSITIVE_INFINITY
      // What is not the best estimate differs from it by as much as its variance is larger, and they are uncorrelated.
      const more = Math.sqrt(Math.max(0, variance + rounding.variance - least) + 1e-12 * least)
      const beyond = Math.abs(estimate.estimate - step * (twin?.estimate ?? Number.NaN)) - rounding.estimate
      outcome.off = Math.max(outcome.off, beyond <= 0 ? 0 : beyond / more)
      const made = varianceOfError(coefficients)
      if (!(least > 0)) continue
      outcome.above = Math.max(outcome.above, (made - least) / (least + 1e-9))
      outcome.below = Math.max(
        outcome.below,
        // What estimates take for the variance of a noise that is never seen counts here.
        1 - flooredVariance(coefficients) / least,
        1 - (variance + rounding.variance) / made,
      )
    }
  }

  #below = (n: number) => Math.floor(this.#uniform() * n)
  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!
  }

  /** Measures, and sometimes refines what was measured. */
  #measure(law: NoiseLaw, query: LinearQuery, parent?: Measurement): void {
    const noise = sampler(lawOf(law), this.#uniform)
    const values = Float64Array.from(this.#rowsOf(query), (row) => this.#sum(row) + noise())
    const measurement = { id: `${this.#measured.length}.0`, query, law, values }
    this.#measured.push(measurement)
    if (parent) this.#parents.set(measurement, parent)
    const finer = this.#laws.find((other) => other.kind === law.kind && varianceOf(other) < varianceOf(law))
    if (finer && this.#uniform() < 0.15) this.#measure(finer, query, measurement)
  }

  #range(size: number): Factor {
    const [x, y] = [this.#below(size), this.#below(size)]
    return { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) }
  }

  #factors(): Term['factors'] {
    const entries = this.#universe.attributes.flatMap(({ name, size }): [string, Factor][] => {
      const kind = this.#uniform()
      if (kind < 0.4) return []
      if (kind < 0.9) return [[name, this.#range(size)]]
      return [[name, { kind: 'table', values: Array.from({ length: size }, () => this.#below(9) - 3) }]]
    })
    return Object.fromEntries(entries)
  }

  #scalar = (): LinearQuery => ({ by: [], terms: [{ coefficient: 1, factors: this.#factors() }], step: one })

  #anyQuery(): LinearQuery {
    const names = this.#universe.attributes.map(({ name }) => name)
    const some = names.filter(() => this.#uniform() < 0.6)
    const kind = this.#uniform()
    if (kind < 0.4) return marginal(some)
    if (kind < 0.7) return this.#scalar()
    const factors = Object.fromEntries(Object.entries(this.#factors()).filter(([name]) => !some.includes(name)))
    return { ...marginal(some), terms: [{ coefficient: 1, factors }] }
  }

  #question(): LinearQuery {
    const known = this.#measured.filter(({ query }) => query.by.length === 0).map(({ query }) => query)
    const kind = this.#uniform()
    if (kind < 0.2) return countAll
    if (kind < 0.6 || known.length < 2) return this.#scalar()
    if (kind < 0.8) return this.#pick(known)
    const times = fromNumber(1 + this.#below(3))
    return combine([
      { query: this.#pick(known), times },
      { query: this.#pick(known), times: fromNumber(-1) },
    ])
  }

  #rowsOf(query: LinearQuery): bigint[][] {
    const u = this.#universe
    const rows = Array.from({ length: answerSize(query, u) }, () => this.#cells.map(() => 0n))
    this.#cells.forEach((cell, k) => {
      const group = query.by.reduce((before, g) => {
        const size = u.attributes[u.index.get(g.attribute)!]!.size
        return before * size + groupOf(g, cell[u.index.get(g.attribute)!]!)
      }, 0)
      rows[group]![k] = BigInt(weightAt(query, u, cell))
    })
    return rows
  }

  #sum = (row: readonly bigint[]) => row.reduce((sum, w, k) => sum + Number(w) * this.#counts[k]!, 0)
  #truth = (query: LinearQuery) => toNumber(query.step) * this.#sum(this.#rowsOf(query)[0]!)

  #exact() {
    const refined = new Set(this.#parents.values())
    const numbers = this.#measured
      .filter((measurement) => !refined.has(measurement))
      .flatMap(({ query, law, values }): Row[] =>
        this.#rowsOf(query).map((row, i) => ({ row, value: Number(values[i]), variance: varianceOf(law) })),
      )
    return {
      rows: numbers.map(({ row }) => row),
      answers: numbers.map(({ value }) => BigInt(value)),
      variances: numbers.map(({ variance }) => BigInt(variance * 2 ** unitBits)),
    }
  }
}

/** Variances in units of 2^-this: doubles down to 10^-12 are whole numbers of them. */
const unitBits = 100

const lawOf = (law: NoiseLaw): Law =>
  law.kind === 'laplace'
    ? { kind: 'laplace', scale: Number(law.scale.num) / Number(law.scale.den) }
    : { kind: 'gaussian', variance: law.kind === 'gaussian' ? Number(law.variance.num) / Number(law.variance.den) : 0 }
const varianceOf = (law: NoiseLaw) => flooredVariance([{ law: lawOf(law), coefficient: 1, count: 1 }])
const flooredVariance = (terms: readonly NoiseTerm[]): number =>
  terms.reduce((sum, { law, coefficient, count }) => {
    const own = Math.max(1e-12, varianceOfError([{ law, coefficient: 1, count: 1 }]))
    return sum + count * coefficient * coefficient * own
  }, 0)
