import { strides } from '../../../../numeric/index.ts'
import { axisSizes, factorTable, type Integers, type LinearQuery, type Term } from '../../../../query/index.ts'
import type { Universe } from '../../../../schema/index.ts'
import { type Histogram, product, project } from './histogram.ts'
import { groupTable, isWide, weightBound } from './weights.ts'

/** One axis of a histogram as a term and the groups see it. */
interface Axis {
  readonly size: number
  /** Number of groups that it folds into: 1 where it is summed out. */
  readonly groups: number
  readonly groupOf?: Int32Array
  readonly weight?: Float64Array
  /** Codes that can count at all. */
  readonly live: number
}

/** A query's answer from a histogram over (at least) its attributes; exact, in steps. */
export function contract(q: LinearQuery, h: Histogram, u: Universe): Integers {
  const bound = weightBound(q, u)
  const wide = isWide(bound)
  if (wide && bound * h.counts.reduce((n, c) => n + c, 0) > Number.MAX_SAFE_INTEGER) return contractWide(q, h, u)
  const sizes = axisSizes(q, u)
  const answer = new Float64Array(product(sizes))
  const place = placement(q, h, u, sizes)
  for (const term of q.terms) {
    const axes = axesOf(q, term, h, u)
    if (axes.some((a) => a.live === 0)) continue
    const folded = fold(h.counts, axes)
    project(
      axes.map((a) => a.groups),
      place,
      (source, target) => {
        answer[target]! += term.coefficient * folded[source]!
      },
    )
  }
  return wide ? Array.from(answer, BigInt) : answer
}

/** For every axis of the histogram its stride in the answer; 0 where the answer has no such axis. */
function placement(q: LinearQuery, h: Histogram, u: Universe, sizes: readonly number[]): number[] {
  const steps = strides(sizes)
  return h.attributes.map((i) => steps[q.by.findIndex((g) => g.attribute === u.attributes[i]!.name)] ?? 0)
}

const axesOf = (q: LinearQuery, term: Term, h: Histogram, u: Universe): Axis[] =>
  h.attributes.map((i, axis) => {
    const size = h.sizes[axis]!
    const name = u.attributes[i]!.name
    const grouping = q.by.find((g) => g.attribute === name)
    const factor = term.factors[name]
    const weight = factor && factorTable(factor, size)
    const groupOf = grouping && groupTable(grouping, size)
    let live = 0
    for (let c = 0; c < size; c++) if (weight?.[c] !== 0 && groupOf?.[c] !== -1) live++
    return { size, groups: grouping ? (grouping.groups?.length ?? size) : 1, groupOf, weight, live }
  })

/** Folds the axes one after another, the one that leaves the least to do first. Partial sums stay below the bound. */
function fold(counts: Float64Array, axes: readonly Axis[]): Float64Array {
  const sizes = axes.map((a) => a.size)
  const cost = (a: Axis) => a.live / a.size
  let tensor = counts
  for (const axis of [...axes.keys()].sort((a, b) => cost(axes[a]!) - cost(axes[b]!))) {
    const a = axes[axis]!
    if (!a.weight && a.groups === a.size && a.live === a.size && isIdentity(a.groupOf)) continue
    tensor = foldAxis(tensor, product(sizes.slice(0, axis)), product(sizes.slice(axis + 1)), a)
    sizes[axis] = a.groups
  }
  return tensor
}
const isIdentity = (table: Int32Array | undefined) => table?.every((g, code) => g === code) === true

function foldAxis(tensor: Float64Array, outer: number, inner: number, { size, groups, groupOf, weight }: Axis) {
  const folded = new Float64Array(outer * groups * inner)
  for (let code = 0; code < size; code++) {
    const w = weight ? weight[code]! : 1
    const g = groupOf ? groupOf[code]! : 0
    if (w === 0 || g < 0) continue
    for (let o = 0; o < outer; o++) {
      const from = (o * size + code) * inner
      const to = (o * groups + g) * inner
      for (let i = 0; i < inner; i++) folded[to + i]! += w * tensor[from + i]!
    }
  }
  return folded
}

/** The same cell by cell, for sums that doubles cannot hold. A single weight they can (checkQuery). */
function contractWide(q: LinearQuery, h: Histogram, u: Universe): bigint[] {
  const sizes = axisSizes(q, u)
  const answer = new Array<bigint>(product(sizes)).fill(0n)
  const answerSteps = placement(q, h, u, sizes)
  const steps = strides(h.sizes)
  for (const term of q.terms) {
    const axes = axesOf(q, term, h, u)
    h.counts.forEach((count, cell) => {
      if (count === 0) return
      let weight = term.coefficient
      let target = 0
      for (let axis = 0; axis < axes.length; axis++) {
        const { size, groupOf, weight: table } = axes[axis]!
        const code = Math.floor(cell / steps[axis]!) % size
        if (groupOf?.[code] === -1) return
        target += (groupOf?.[code] ?? 0) * answerSteps[axis]!
        if (table) weight *= table[code]!
      }
      if (weight !== 0) answer[target]! += BigInt(count) * BigInt(weight)
    })
  }
  return answer
}
