import { expect, test } from 'vitest'
import { exportRows } from './export.ts'

test('a row is exported as one line of JSON with its values, large ones as text', () => {
  const values = [Float64Array.of(1, -2), [2n ** 60n, 3n]]
  const stored = {
    seq: 3,
    hash: 'aa',
    at: '2026-01-01T00:00:00.000Z',
    row: { kind: 'record', reserve: 2, values },
  } as const
  expect(exportRows([stored])).toEqual([
    '{"at":"2026-01-01T00:00:00.000Z","hash":"aa","row":{"kind":"record","reserve":2},"seq":3,' +
      '"values":[[1,-2],["1152921504606846976","3"]]}',
  ])
})
