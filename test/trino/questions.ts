import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check } from '../../src/cli/commands/check.ts'
import { init } from '../../src/cli/commands/init.ts'
import { verifyLedger } from '../../src/index.ts'
import { listener } from '../support/listener.ts'
import type { TrinoCluster } from '../support/servers/trino.ts'
import { closeScenes, makeTable, Scene, young } from './scene.ts'

const estimateOf = (answer: object) => (answer as { estimate: number }).estimate
const groupsOf = (answer: object) => (answer as { groups: { estimate: number }[] }).groups

/** Questions as people ask them, about tables with and without snapshots. */
export function questions(cluster: TrinoCluster): void {
  const { run, url } = cluster
  closeScenes()

  describe('questions about an Iceberg table', () => {
    test('are refined, and fail once somebody has written to it, until that is undone', async () => {
      const table = await makeTable(cluster, 'lake')
      const [before] = await run(`SELECT snapshot_id FROM lake.contract."${table}$refs"`)
      const scene = new Scene(cluster, `catalog: lake, table: ${table}`)
      await scene.create()
      const people = await scene.open()
      const first = await people.ask(young, { within: 5 })
      // Noise beyond 100 at a half-width of 5 for 95%: e^-60.
      expect(Math.abs(estimateOf(first) - 500)).toBeLessThan(100)
      expect((await people.ask(young, { within: 2 })).kind).toBe('refined')
      await run(`INSERT INTO lake.contract.${table} VALUES (1, 'x')`)
      await expect(people.ask(young, { within: 1 })).rejects.toMatchObject({ code: 'source-changed' })
      await run(`ALTER TABLE lake.contract.${table} EXECUTE rollback_to_snapshot(${before![0]})`)
      expect((await people.ask(young, { within: 1 })).kind).toBe('refined')
      expect(await verifyLedger(scene.policy)).toMatchObject({ ok: true })
      // Whatever was read was read from that snapshot.
      const asked = await run(`SELECT query FROM system.runtime.queries WHERE query LIKE '%count(*)%"${table}"%'`)
      expect(asked.length).toBeGreaterThan(3)
      const others = asked.filter(([sql]) => !/FOR VERSION AS OF \d+|runtime/.test(String(sql)))
      expect(others).toEqual([])
    })

    test('go on about the snapshot that a policy names, whatever is written', async () => {
      const table = await makeTable(cluster, 'lake')
      const [version] = await run(`SELECT snapshot_id FROM lake.contract."${table}$refs"`)
      const scene = new Scene(cluster, `catalog: lake, table: ${table}, version: ${version![0]}`)
      await scene.create()
      const people = await scene.open()
      await people.ask(young, { within: 5 })
      await run(`DELETE FROM lake.contract.${table}`)
      const later = await people.ask(young, { within: 2 })
      expect(later.kind).toBe('refined')
      expect(Math.abs(estimateOf(later) - 500)).toBeLessThan(100)
    })
  })

  describe('questions about a table without snapshots', () => {
    test('are asked afresh, and fail once somebody has written to it', async () => {
      const table = await makeTable(cluster, 'memory')
      const scene = new Scene(cluster, `catalog: memory, table: ${table}`)
      await scene.create()
      const people = await scene.open()
      await people.ask(young, { within: 5 })
      expect((await people.plan(young, { within: 2 })).kind).not.toBe('refined')
      expect((await people.ask(young, { within: 2 })).kind).not.toBe('refined')
      await run(`INSERT INTO memory.contract.${table} VALUES (1, 'x')`)
      await expect(people.ask(young, { within: 1 })).rejects.toMatchObject({ code: 'source-changed' })
      expect(await verifyLedger(scene.policy)).toMatchObject({ ok: true })
    })
  })

  describe('the owner', () => {
    test('has a policy drafted, and is told how changes are noticed', async () => {
      const table = await makeTable(cluster, 'lake')
      const source = `catalog: lake, table: ${table}`
      const scene = new Scene(cluster, source)
      const { said, out } = listener()
      const policy = `${scene.policy}.drafted`
      await init(url, { policy, catalog: 'lake', schema: 'contract', table, json: false }, out)
      expect(said.value).toMatchObject({ policy })
      expect(await check({ policy: scene.policy, json: false }, out)).toBe(0)
      expect(said.value).toMatchObject({ ok: true, rows: 1000, changes: expect.stringContaining('one snapshot') })
      const other = new Scene(cluster, `catalog: memory, table: ${await makeTable(cluster, 'memory')}`)
      expect(await check({ policy: other.policy, json: false }, out)).toBe(0)
      expect(said.value.changes).toContain('cannot be refined')
    })

    test('is told which columns cannot be read, and has the others drafted', async () => {
      await run(`CREATE TABLE memory.contract.odd AS SELECT * FROM
        (VALUES (ARRAY[1], JSON '{"a": 1}', MAP(ARRAY[1], ARRAY[2]), true)) AS t (list, document, pairs, member)`)
      const policy = join(mkdtempSync(join(tmpdir(), 'reticent-trino-init-')), 'odd.yaml')
      await init(url, { policy, catalog: 'memory', schema: 'contract', table: 'odd', json: false }, listener().out)
      const text = readFileSync(policy, 'utf8')
      expect(text).toContain('# list: left out, its type, array(integer), cannot be read')
      expect(text).toContain('# pairs: left out, its type, map(integer, integer), cannot be read')
      expect(text).toContain('document: { values: ["{\\"a\\":1}"], other: true }')
      expect(text).toContain('member: { boolean: true }')
    })
  })

  test('a table is read by several workers, and only counts come back', async () => {
    await run(
      'CREATE TABLE memory.contract.lines AS SELECT l_linenumber AS linenumber, l_quantity AS quantity FROM tpch.tiny.lineitem',
    )
    const scene = new Scene(cluster, 'catalog: memory, table: lines', 'linenumber: { integer: [1, 7], closed: true }')
    await scene.create()
    const answer = await (await scene.open()).ask('SELECT linenumber, COUNT(*) FROM people GROUP BY linenumber', {
      epsilon: 10,
    })
    expect(groupsOf(answer).map(({ estimate }) => estimate > 1000)).toEqual(new Array(7).fill(true))
    const tasks = await run(`SELECT t.node_id, sum(t.physical_input_bytes + t.processed_input_rows)
      FROM system.runtime.tasks t JOIN system.runtime.queries q ON t.query_id = q.query_id
      WHERE q.query LIKE '%contract"."lines"%' AND q.query LIKE '%GROUP BY%' AND q.source = 'reticent'
      GROUP BY t.node_id HAVING sum(t.processed_input_rows) > 10000`)
    expect(tasks.length).toBe(2)
  })
}
