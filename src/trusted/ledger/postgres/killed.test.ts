import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { count, create, reserve } from '../../../../test/contract/ledger-rows.ts'
import { metered } from '../../../../test/support/metered.ts'
import { startServer, withClient, withoutPostgres } from '../../../../test/support/postgres.ts'
import { stopServer } from '../../../../test/support/servers/run.ts'
import { rational } from '../../../numeric/index.ts'
import { countAll } from '../../../query/index.ts'
import { verifyRows } from '../structure.ts'
import type { PostgresPlace } from './connection.ts'
import { createPostgresLedger } from './create.ts'
import { openPostgresLedger } from './open.ts'

const secret = new Uint8Array(32)

describe.skipIf(await withoutPostgres('killed servers of ledgers'))('a server of a ledger that is killed', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  let place: PostgresPlace
  beforeAll(async () => {
    server = await startServer()
    await withClient(server.url, (client) => client.query("CREATE ROLE runs LOGIN PASSWORD 'x'"))
    const address = new URL(server.url)
    Object.assign(address, { username: 'runs', password: 'x' })
    place = { kind: 'postgres', url: address.href, schema: 'budget' }
  })
  afterAll(() => stopServer(server))

  test('gives one clear error; after its restart the ledger verifies, and goes on', async () => {
    const { ledger, buy } = await metered({
      keep: (row) => createPostgresLedger(place, row, secret, { owner: server.url }),
    })
    const law = { kind: 'laplace', scale: rational(1000) } as const
    let bought = 0
    // Many at once, so that some are in the middle of an append, whatever the moment.
    const asking = Array.from({ length: 8 }, async () => {
      for (;;) {
        await buy(countAll, law)
        bought++
        if (bought === 20) await withClient(server.url, (client) => killed(client))
      }
    })
    const ends = await Promise.allSettled(asking)
    for (const end of ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: { name: 'ReticentError', code: 'ledger-unreachable' } })
      expect(JSON.stringify((end as PromiseRejectedResult).reason)).not.toMatch(/terminat|crash|postmaster/i)
    }
    // The postmaster restarts by itself what was killed; the same ledger object finds its way back.
    const rows = await eventually(() => ledger.read(0))
    expect(verifyRows(rows)).toEqual([])
    const recorded = rows.filter(({ row }) => row.kind === 'record').length
    expect(recorded).toBeGreaterThanOrEqual(bought)
    // What was reserved and has no record stays charged; at most the rows that were under way.
    expect(rows.filter(({ row }) => row.kind === 'reserve').length - recorded).toBeLessThanOrEqual(asking.length)
    await buy(countAll, law)
    await ledger.close()
  })

  test('and stays away is told', async () => {
    const ledger = await openPostgresLedger(place)
    await stopServer(server)
    for (const work of [() => ledger.read(0), () => ledger.append(reserve(count)), () => openPostgresLedger(place)])
      await expect(work()).rejects.toThrow(expect.objectContaining({ code: 'ledger-unreachable' }))
    await ledger.close()
  })

  test('that does not wait for its disk is refused', async () => {
    const forgetful = await startServer(['fsync = off'])
    const wanted = { ...place, url: forgetful.url }
    const made = createPostgresLedger(wanted, create, secret, { owner: forgetful.url })
    await expect(made).rejects.toThrow(expect.objectContaining({ code: 'ledger-unsafe' }))
    await stopServer(forgetful)
  })
})

/** Kills a process of the server's as the system would: all its connections end, and it recovers from its log. */
async function killed(client: Parameters<Parameters<typeof withClient>[1]>[0]): Promise<void> {
  const { rows } = await client.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")
  process.kill(rows[0].pid, 'SIGKILL')
}

async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
