import type { Node } from '@pgsql/types'
import { expect, test } from 'vitest'
import { universe } from '../../../schema/index.ts'
import { type Scope, Uncomputed } from '../scope.ts'
import { Work } from '../work.ts'
import { readComputing } from './read.ts'

const scope = (): Scope => ({
  text: 'SELECT 1',
  universe: universe([]),
  table: 't',
  work: new Work(),
  computed: new Map(),
  notes: new Set(),
})
const constant = (): Node => ({ A_Const: { ival: { ival: 1 } } })

test('a statement ends, however many expressions it has that take long each', async () => {
  const own = scope()
  let seconds = 0
  const reading = readComputing(
    own,
    () => {
      throw new Uncomputed(constant(), false)
    },
    () => {
      seconds += 9
      return 1000 * seconds
    },
  )
  await expect(reading).rejects.toThrow(/take more than 60 seconds/)
  expect(own.computed.size).toBeLessThan(8)
})

test('what was computed is not computed again', async () => {
  const own = scope()
  const nodes = [constant(), constant()]
  const read = () => {
    const missing = nodes.find((node) => !own.computed.has(node))
    if (missing) throw new Uncomputed(missing, false)
    return 'read'
  }
  expect(await readComputing(own, read)).toBe('read')
  expect(own.computed.size).toBe(2)
})
