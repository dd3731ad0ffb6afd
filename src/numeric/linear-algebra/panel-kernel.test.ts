import { expect, test } from 'vitest'
import { buildPanelKernel } from './panel-kernel.ts'

/** Small whole numbers: sums of products are exact in floats, whatever the order and whether they are fused. */
const fill = (values: Float32Array, seed: number) => {
  for (let i = 0; i < values.length; i++) values[i] = ((i * 7919 + seed * 104729) % 41) - 20
}

for (const arithmetic of ['fused', 'plain'] as const)
  for (const length of [8, 16, 96])
    test(`panels of ${length} columns, ${arithmetic}: products with and without a transpose`, () => {
      const kernel = buildPanelKernel(length, arithmetic)!
      kernel.memory.grow(4)
      const array = (at: number, size: number) => new Float32Array(kernel.memory.buffer, 4 * at, size)
      for (const [rows, columns] of [
        [4, 2],
        [4, 4],
        [8, 12],
        [12, 20],
      ] as const) {
        const [a, b] = [array(0, rows * length), array(rows * length, columns * length)]
        const c = array((rows + columns) * length, rows * columns)
        const left = array((rows + columns) * length + rows * columns, rows * length)
        fill(a, 1)
        fill(b, 2)
        for (let i = 0; i < rows; i += 4)
          kernel.dots(4 * i * length, b.byteOffset, c.byteOffset + 4 * i * columns, 4 * columns, columns / 2)
        for (let i = 0; i < rows; i++)
          for (let j = 0; j < columns; j++) {
            let sum = 0
            for (let t = 0; t < length; t++) sum += a[i * length + t]! * b[j * length + t]!
            expect(c[i * columns + j]).toBe(sum)
          }

        fill(c, 3)
        fill(left, 4)
        const before = left.slice()
        for (let i = 0; i < rows; i += 4)
          kernel.accumulate(
            left.byteOffset + 4 * i * length,
            c.byteOffset + 4 * i * columns,
            4 * columns,
            4,
            b.byteOffset,
            columns,
          )
        for (let i = 0; i < rows; i++)
          for (let t = 0; t < length; t++) {
            let sum = before[i * length + t]!
            for (let j = 0; j < columns; j++) sum += c[i * columns + j]! * b[j * length + t]!
            expect(left[i * length + t]).toBe(sum)
          }

        // The same with c turned: rows of b from those of a.
        if (columns % 4 !== 0) continue
        const turned = b.slice()
        for (let j = 0; j < columns; j += 4)
          kernel.accumulate(b.byteOffset + 4 * j * length, c.byteOffset + 4 * j, 4, 4 * columns, a.byteOffset, rows)
        for (let j = 0; j < columns; j++)
          for (let t = 0; t < length; t++) {
            let sum = turned[j * length + t]!
            for (let i = 0; i < rows; i++) sum += c[i * columns + j]! * a[i * length + t]!
            expect(b[j * length + t]).toBe(sum)
          }
      }
    })
