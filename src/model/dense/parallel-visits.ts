import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Cells } from './cells.ts'

/** Fewer cells are visited sooner by one thread than they are shared out. */
const leastCells = 2 ** 20
/** More threads than this wait for memory, not for each other. */
const mostThreads = 8
/** A marginal is added up by every thread for itself: larger ones would take too much memory, and too long to put together. */
const mostPlaces = 2 ** 18
/** In milliseconds. A share takes some hundredths of a second: whoever takes so long has died. */
const patience = 60_000

/** A share of the cells, and what is done with each: its number is added up at its place, or multiplied by the factor there. */
interface Visit {
  readonly cells: Cells
  /** Places of the first of these blocks' cells, one block after the other from cell `at` on, and of a block's others from there. */
  readonly high: Int32Array
  readonly low: Int32Array
  readonly at: number
  readonly sums?: Float64Array
  readonly factors?: Float64Array
  /** Where the sum of all products goes. */
  readonly totals: Float64Array
  /** Where it is said that all is done: one flag and one total per thread. */
  readonly done: Int32Array
  readonly thread: number
}

/** Runs in every thread, so it may use nothing but its argument. */
function visit({ cells, high, low, at, sums, factors, totals, done, thread }: Visit): void {
  let [next, total] = [at, 0]
  if (sums) for (const base of high) for (let i = 0; i < low.length; i++) sums[base + low[i]!]! += cells[next++]!
  if (factors)
    for (const base of high)
      for (let i = 0; i < low.length; i++) {
        const product = cells[next]! * factors[base + low[i]!]!
        cells[next++] = product
        total += product
      }
  totals[thread] = total
  Atomics.store(done, thread, 1)
  Atomics.notify(done, thread)
}

let workers: Worker[] | undefined

/** Started when they are first needed; they do not keep the process from ending. */
function otherThreads(): readonly Worker[] {
  workers ??= Array.from({ length: Math.min(mostThreads, availableParallelism()) - 1 }, () => {
    const code = `require('node:worker_threads').parentPort.on('message', ${visit})`
    const worker = new Worker(code, { eval: true })
    worker.unref()
    return worker
  })
  return workers
}

const isShared = (array: Cells): boolean => array.length >= leastCells && array.buffer instanceof SharedArrayBuffer

/** Cells that threads can visit together, where they are many; in single precision if so wanted. */
export function newCells(size: number, isSingle: boolean): Cells {
  if (size < leastCells) return isSingle ? new Float32Array(size) : new Float64Array(size)
  const buffer = new SharedArrayBuffer(size * (isSingle ? 4 : 8))
  return isSingle ? new Float32Array(buffer) : new Float64Array(buffer)
}

/** Whether all threads visit these cells. */
export const isForAll = (cells: Cells, places: number): boolean =>
  isShared(cells) && places <= mostPlaces && otherThreads().length > 0

/** Adds up the cells at their places, or multiplies them by the factors there and returns the sum of all products. */
export function visitTogether(
  cells: Cells,
  { high, low }: Pick<Visit, 'high' | 'low'>,
  what: { readonly sums: Float64Array } | { readonly factors: Float64Array },
): number {
  const threads = otherThreads().length + 1
  const done = new Int32Array(new SharedArrayBuffer(4 * threads))
  const totals = new Float64Array(new SharedArrayBuffer(8 * threads))
  const factors = 'factors' in what ? sharedCopy(what.factors) : undefined
  const size = 'sums' in what ? what.sums.length : 0
  const visits = Array.from({ length: threads }, (_, thread): Visit => {
    const [from, to] = [thread, thread + 1].map((t) => Math.floor((t * high.length) / threads)) as [number, number]
    const work = factors ? { factors } : { sums: new Float64Array(new SharedArrayBuffer(8 * size)) }
    return { cells, low, high: high.slice(from, to), at: from * low.length, totals, done, thread, ...work }
  })
  for (const [i, worker] of otherThreads().entries()) worker.postMessage(visits[i + 1])
  visit(visits[0]!)
  for (let thread = 1; thread < threads; thread++)
    if (Atomics.wait(done, thread, 0, patience) === 'timed-out') throw new Error('a thread does not answer')
  if ('sums' in what) for (const { sums } of visits) for (let i = 0; i < size; i++) what.sums[i]! += sums![i]!
  return totals.reduce((a, b) => a + b, 0)
}

function sharedCopy(numbers: Float64Array): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(8 * numbers.length))
  copy.set(numbers)
  return copy
}
