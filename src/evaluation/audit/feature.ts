import type { Feature, Output } from './mechanism.ts'

type Key = (output: Output) => number | string | bigint

/** The number itself: its half-lines are the events. */
const value = (name: string, of: (output: Output) => number): Feature => ({ name, learn: () => of })

/**
 * The empirical log-likelihood ratio of one or more discrete keys, added up as if they were independent. Whether they are
 * matters to the power of the audit, not to its truth. A key that was never seen says nothing.
 */
export const likelihood = (name: string, ...keys: readonly Key[]): Feature => ({
  name,
  learn(left, right) {
    const tables = keys.map((key) => ratios(left, right, key))
    return (output) => keys.reduce((sum, key, i) => sum + (tables[i]!.get(key(output)) ?? 0), 0)
  },
})

/** ln((l + 1)/(r + 1)) of the counts of each key: one pseudo-count keeps what was seen once from looking like proof. */
function ratios(left: readonly Output[], right: readonly Output[], key: Key): Map<ReturnType<Key>, number> {
  const [l, r] = [countBy(left, key), countBy(right, key)]
  const share = Math.log(right.length / left.length)
  const ratio = (k: ReturnType<Key>) => Math.log(((l.get(k) ?? 0) + 1) / ((r.get(k) ?? 0) + 1)) + share
  return new Map([...new Set([...l.keys(), ...r.keys()])].map((k) => [k, ratio(k)]))
}

function countBy(outputs: readonly Output[], key: Key): Map<ReturnType<Key>, number> {
  const counts = new Map<ReturnType<Key>, number>()
  for (const output of outputs) {
    const k = key(output)
    counts.set(k, (counts.get(k) ?? 0) + 1)
  }
  return counts
}

/** Coordinates beyond this many are not looked at one by one. */
const coordinates = 16

/** Features for any output like this one: the whole of it, its coordinates together and alone, their sum. */
export function standardFeatures(example: Output): Feature[] {
  const at = (i: number) => (output: Output) => output[i]!
  const size = Math.min(example.length, coordinates)
  const each = Array.from({ length: size }, (_, i) => i)
  const numeric = each.filter((i) => typeof example[i] !== 'string')
  if (size === 1) {
    const half = numeric.map((i) => value('half-line', (output) => Number(output[i])))
    return [likelihood('likelihood ratio', at(0)), ...half]
  }
  return [
    likelihood('likelihood ratio of the whole', (output) => output.join()),
    likelihood('likelihood ratios of the coordinates', ...each.map(at)),
    ...numeric.map((i) => value(`half-line of coordinate ${i + 1}`, (output) => Number(output[i]))),
    value('half-line of the sum', (output) => numeric.reduce((sum, i) => sum + Number(output[i]), 0)),
  ]
}
