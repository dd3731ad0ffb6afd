import { describe, expect, test } from 'vitest'
import { exportLedger, verifyLedger } from '../../src/index.ts'
import type { TrinoCluster } from '../support/servers/trino.ts'
import { makeTable, Scene, young } from './scene.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** For a while after a worker is gone, Trino still sends it work, and statements fail. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (tries === 20) throw error
      await pause(2000)
    }
}

/** Servers that are killed in mid-query. The last ones: nothing answers afterwards. */
export function faults(cluster: TrinoCluster): void {
  const { coordinator, worker, run } = cluster

  /** Asks, and does something once the question is paid for and before it is answered. */
  async function whileAsking(scene: Scene, before: () => void, then: () => void): Promise<unknown> {
    const people = await scene.open()
    // The table is open from here on, and the next statement is the one that answers.
    await people.ask('SELECT COUNT(*) FROM people WHERE age < 2', { within: 50 })
    before()
    const rows = async () => (await exportLedger(scene.policy)).length
    const paid = await rows()
    const asked = people.ask(young, { within: 1 }).then(
      () => 'an answer',
      (error) => error,
    )
    for (let tries = 0; tries < 5000 && (await rows()) === paid; tries++) await pause(2)
    then()
    return asked
  }

  describe('kill -9 in mid-query', () => {
    test.each([
      ['of a worker', () => process.kill(worker.pid, 'SIGKILL'), worker],
      ['of the coordinator', () => process.kill(coordinator.pid, 'SIGKILL'), coordinator],
    ])('%s is one clear error, and the ledger verifies', async (_, kill, node) => {
      // Several files, so that both servers have something to read.
      const table = await patiently(() => makeTable(cluster, 'lake', 4))
      const [version] = await run(`SELECT snapshot_id FROM lake.contract."${table}$refs"`)
      const scene = new Scene(cluster, `catalog: lake, table: ${table}, version: ${version![0]}`)
      await scene.create()
      // Stopped, it cannot answer before it is killed.
      const stop = () => void (node === worker && process.kill(worker.pid, 'SIGSTOP'))
      const error = await whileAsking(scene, stop, kill)
      expect(error).toMatchObject({ name: 'ReticentError' })
      expect(error).toMatchObject({ code: expect.stringMatching(/^(engine-failed|failed-after-charge)$/) })
      expect(await verifyLedger(scene.policy)).toMatchObject({ ok: true, rows: 5 })
    })
  })
}
