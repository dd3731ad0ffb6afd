import fc from 'fast-check'
import { expect, test } from 'vitest'
import { merge, type Partition, PartitionBuilder, refine, representatives } from './partition.ts'

const size = 30
/** The class of every code: the slow twin. */
const classes = (p: Partition): number[] => {
  const of: number[] = []
  for (let i = 0; i < p.starts.length; i++)
    for (let c = p.starts[i]!; c < (p.starts[i + 1] ?? size); c++) of[c] = p.labels[i]!
  return of
}
const partition = fc.array(fc.nat(3), { minLength: size, maxLength: size }).map((keys) => {
  const builder = new PartitionBuilder<number>()
  for (const [code, key] of keys.entries()) builder.run(code, key)
  return builder.build()
})

test('a refinement has one class per pair of classes, and says which pair', () => {
  fc.assert(
    fc.property(partition, partition, (a, b) => {
      const r = refine(a, b)
      const [inA, inB, inBoth] = [classes(a), classes(b), classes(r.partition)]
      expect(inBoth.map((c) => r.first[c])).toEqual(inA)
      expect(inBoth.map((c) => r.second[c])).toEqual(inB)
      expect(r.partition.count).toBe(new Set(inA.map((c, i) => `${c} ${inB[i]}`)).size)
    }),
  )
})
test('refining by a coarser partition gives back the same one', () => {
  fc.assert(
    fc.property(partition, partition, (a, b) => {
      const { partition: fine } = refine(a, b)
      expect(refine(fine, a).partition).toBe(fine)
      const again = refine(fine, b)
      expect(again.partition).toBe(fine)
      expect(classes(fine).map((c) => [again.first[c], again.second[c]])).toEqual(
        classes(fine).map((c, code) => [c, classes(b)[code]]),
      )
    }),
  )
})
test('merging keeps codes together, and a representative lies in its class', () => {
  fc.assert(
    fc.property(partition, (p) => {
      const halves = Array.from({ length: p.count }, (_, c) => c >> 1)
      expect(classes(merge(p, halves))).toEqual(classes(p).map((c) => c >> 1))
      expect([...representatives(p)].map((code) => classes(p)[code])).toEqual([...Array(p.count).keys()])
    }),
  )
})
