import { dot } from '../../numeric/index.ts'
import { varianceOf } from '../error-law/law.ts'
import { sampler } from '../error-law/sample.ts'
import type { DrawnLaw } from './answer.ts'
import { type Evidence, repeatableFrom } from './evidence.ts'

/** How often noise is drawn anew, unless so many draws have disagreed as much before: then it is no matter (Besag and Clifford 1991). */
const [rounds, enough] = [4999, 20]

/** One noisy number in standard deviations of its noise. */
interface Row {
  readonly value: number
  readonly law: DrawnLaw
  readonly deviation: number
  /** Its query in terms of the basis. */
  readonly weights: Float64Array
}

/**
 * How often noise alone leaves answers that disagree as much as these: the share of draws of all noises whose residuals'
 * sum of squares is as large, the answers' own counted among them. Residuals do not depend on the exact answers, so the share
 * is at most p with probability p, whatever the laws. undefined where no answer says anything about another.
 */
export function chanceOfDisagreement(evidence: Evidence): number | undefined {
  const rows = rowsOf(evidence)
  const { basis } = evidence.span
  if (rows.length <= basis.length) return undefined
  const columns = orthonormal(basis.map((_, k) => Float64Array.from(rows, ({ weights }) => weights[k]!)))
  const residual = (u: Float64Array) => columns.reduce((rest, column) => rest - dot(column, u) ** 2, dot(u, u))
  const seen = residual(Float64Array.from(rows, ({ value }) => value))
  const random = repeatableFrom(evidence)
  const noises = rows.map(({ law, deviation }) => ({ draw: sampler(law, random), deviation }))
  const u = new Float64Array(rows.length)
  let larger = 0
  for (let i = 1; i <= rounds; i++) {
    noises.forEach(({ draw, deviation }, k) => {
      u[k] = draw() / deviation
    })
    // As large but for rounding.
    if (residual(u) >= seen * (1 - 1e-9)) larger++
    if (larger === enough) return larger / i
  }
  return (larger + 1) / (rounds + 1)
}

/** What is left of every answer when its share of the basis's first answers is taken off: no digits are lost to large numbers. */
function rowsOf({ asked, span }: Evidence): Row[] {
  const base = span.basis.map((place) => asked[place]!.step * asked[place]!.answers[0]!.value)
  return asked.flatMap(({ step, answers }, place) => {
    const expected = span.weights[place]!.reduce((sum, w, k) => sum + w * base[k]!, 0) / step
    return answers.map(({ value, law }) => {
      const deviation = Math.sqrt(varianceOf(law))
      const weights = span.weights[place]!.map((w) => w / (step * deviation))
      return { value: (value - expected) / deviation, law, deviation, weights }
    })
  })
}

/** Gram and Schmidt's, twice over for the digits. */
function orthonormal(columns: readonly Float64Array[]): Float64Array[] {
  const made: Float64Array[] = []
  for (const column of columns) {
    let rest = column
    for (const other of [...made, ...made]) {
      const along = dot(rest, other)
      rest = rest.map((value, i) => value - along * other[i]!)
    }
    const length = Math.sqrt(dot(rest, rest))
    made.push(rest.map((value) => value / length))
  }
  return made
}
