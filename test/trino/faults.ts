import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { verifyLedger } from '../../src/index.ts'
import type { TrinoCluster } from '../support/servers/trino.ts'
import { makeTable, Scene, young } from './scene.ts'

/** Where Node says that it begins a request. */
const requests = 'http.client.request.created'

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

  /** Asks, and does something once the question is paid for, before the next statement reaches the server. */
  async function whileAsking(scene: Scene, then: () => void): Promise<unknown> {
    const people = await scene.open()
    // The table is open from here on, and what is paid for next is the question.
    await people.ask('SELECT COUNT(*) FROM people WHERE age < 2', { within: 50 })
    const ledger = new Sqlite(scene.ledger, { readonly: true })
    const count = ledger.prepare('SELECT count(*) FROM rows').pluck()
    const paid = count.get()
    // Called before a request is written, so there is no race to lose.
    const eachRequest = () => {
      if (count.get() === paid) return
      unsubscribe(requests, eachRequest)
      then()
    }
    subscribe(requests, eachRequest)
    try {
      return await people.ask(young, { within: 1 }).then(
        () => 'an answer',
        (error) => error,
      )
    } finally {
      unsubscribe(requests, eachRequest)
      ledger.close()
    }
  }

  describe('kill -9 in mid-query', () => {
    test.each([
      ['of a worker', () => process.kill(worker.pid, 'SIGKILL')],
      ['of the coordinator', () => process.kill(coordinator.pid, 'SIGKILL')],
    ])('%s is one clear error, and the ledger verifies', async (_, kill) => {
      // Several files, so that both servers have something to read.
      const table = await patiently(() => makeTable(cluster, 'lake', 4))
      const [version] = await run(`SELECT snapshot_id FROM lake.contract."${table}$refs"`)
      const scene = new Scene(cluster, `catalog: lake, table: ${table}, version: ${version![0]}`)
      await scene.create()
      const error = await whileAsking(scene, kill)
      expect(error).toMatchObject({ name: 'ReticentError' })
      expect(error).toMatchObject({ code: expect.stringMatching(/^(engine-failed|failed-after-charge)$/) })
      expect(await verifyLedger(scene.policy)).toMatchObject({ ok: true, rows: 5 })
    })
  })
}
