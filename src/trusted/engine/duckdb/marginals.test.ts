import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { MarginalList } from '../../../query/index.ts'
import { attribute, type Unit, universe } from '../../../schema/index.ts'
import { open, openTable } from '../../exact/open.ts'
import { openEngine } from '../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-marginals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Some of at most four codes, which are counted by bits, one of a single code, and larger ones. */
const sizes = [2, 3, 4, 5, 1, 7, 2, 4, 3, 9]
const names = sizes.map((_, i) => `a${i}`)
const u = universe(
  sizes.map((size, i) => attribute({ kind: 'integer', name: names[i]!, low: 0, high: size - 1, closed: i % 3 === 0 })),
)
const { uniform } = seededBits(6)
const below = (n: number) => Math.floor(uniform() * n)

test.each<[string, Unit]>([
  ['rows', { kind: 'row' }],
  ['people of at most two rows', { kind: 'column', column: 'who', rows: 2 }],
])('a list of marginals has the counts of its queries one by one: %s', async (_, unit) => {
  const path = join(folder, 'people.csv')
  const line = () => [`p${below(200)}`, ...sizes.map((size) => (below(20) === 0 ? '' : below(size + 1)))].join()
  writeFileSync(path, [`who,${names}`, ...Array.from({ length: 600 }, line)].join('\n'))
  const engine = await openEngine({ source: { kind: 'duckdb', path }, universe: u, unit, key: new Uint8Array(32) })
  const snapshot = await engine.snapshot()
  for (const [ways, count] of [
    [1, 300],
    [2, 300],
    [3, 300],
    [2, 20],
  ] as const) {
    // In whatever order, some of them twice.
    const one = () => {
      const set = new Set<number>()
      while (set.size < ways) set.add(below(sizes.length))
      return [...set]
    }
    const list = new MarginalList(names, ways, Array.from({ length: count }, one).flat())
    const [together, apart] = [await snapshot.marginals!(list), await snapshot.answer([...list])]
    expect(openTable(together) !== undefined).toBe(count > 256)
    expect(together.length).toBe(count)
    for (const [i, exact] of apart.entries()) expect(open(together.at(i)!)).toEqual(open(exact))
  }
  await engine.close()
})
