import { expect, test } from 'vitest'
import { connect } from './session.ts'

test.each(['UTINYINT', 'USMALLINT', 'UINTEGER', 'INTEGER', 'SMALLINT'])(
  'chunks of %s are copied as they are, from any row on',
  async (type) => {
    const session = await connect()
    const seen: number[] = []
    const count = 5000
    const sql = `SELECT (i % 7)::UTINYINT, ((i * 31) % 251)::${type} FROM range(${count}) AS t(i)`
    const target = new Int32Array(300)
    await session.chunks(sql, (chunk) => {
      for (let from = 0; from < chunk.rows; from += 300) {
        const part = target.subarray(0, Math.min(300, chunk.rows - from))
        chunk.copy(1, from, part)
        seen.push(...part)
      }
    })
    await session.close()
    const sorted = (values: number[]) => values.sort((a, b) => a - b)
    expect(sorted(seen)).toEqual(sorted(Array.from({ length: count }, (_, i) => (i * 31) % 251)))
  },
)

test('who fails while visiting a chunk hears of it, and the session goes on', async () => {
  const session = await connect()
  const sql = 'SELECT i::UINTEGER FROM range(100000) AS t(i)'
  let visits = 0
  const failing = session.chunks(sql, () => {
    if (++visits === 3) throw new RangeError('enough')
  })
  await expect(failing).rejects.toThrow('enough')
  expect(visits).toBe(3)
  let rows = 0
  await session.chunks(sql, (chunk) => {
    rows += chunk.rows
  })
  expect(rows).toBe(100_000)
  await session.close()
})
