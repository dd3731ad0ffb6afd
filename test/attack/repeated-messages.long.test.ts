import { createServer, connect as dial, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLedger, type Ledger, openLedger, verifyRows } from '../../src/trusted/ledger/index.ts'
import { count, create, reserve } from '../contract/ledger-rows.ts'
import { withoutPostgres } from '../support/postgres.ts'
import { type LedgerDatabase, ledgerDatabase } from '../support/postgres-ledger.ts'

// The attack: something between Reticent and its ledger sends a message twice, or sends one of the server's replies twice or not at all. Then
// replies no longer belong to what was asked: a row that was not written could pass for written. Whoever asks is told
// that the ledger cannot be reached, and nobody else has to wait for a connection that is out of step and has the lock.

type Mischief = 'question twice' | 'reply twice' | 'reply dropped'

/** Whole messages in a stream of bytes; the first one of a client has no letter in front. */
function messages(visit: (message: Buffer) => void, isLettered: boolean): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let letters = isLettered ? 1 : 0
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= letters + 4 && rest.length >= letters + rest.readInt32BE(letters)) {
      const length = letters + rest.readInt32BE(letters)
      visit(rest.subarray(0, length))
      rest = rest.subarray(length)
      letters = 1
    }
  }
}

/** Passes messages on; the n-th from now on that may be tampered with is. */
class Meddler {
  mischief: Mischief = 'question twice'
  left = Number.POSITIVE_INFINITY
  readonly #sockets = new Set<Socket>()
  readonly #server

  constructor(port: number) {
    this.#server = createServer((client) => {
      const server = dial(port, '127.0.0.1')
      const pass = (to: Socket, letters: string, kinds: readonly Mischief[]) => (message: Buffer) => {
        const isChosen =
          kinds.includes(this.mischief) && letters.includes(String.fromCharCode(message[0]!)) && --this.left === 0
        const times = !isChosen ? 1 : this.mischief === 'reply dropped' ? 0 : 2
        for (let i = 0; i < times; i++) to.write(message)
      }
      // Questions; rows, their columns, the ends of statements and of all of them. Who drops an end leaves the client waiting.
      client.on('data', messages(pass(server, 'Q', ['question twice']), false))
      const ends = messages(pass(client, 'DTCZ', ['reply twice']), true)
      const dropped = messages(pass(client, 'DT', ['reply dropped']), true)
      server.on('data', (bytes) => (this.mischief === 'reply dropped' ? dropped : ends)(bytes))
      for (const [one, other] of [[client, server] as const, [server, client] as const]) {
        this.#sockets.add(one)
        one.on('error', () => {})
        one.on('close', () => other.destroy())
      }
    })
  }
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as { port: number }).port
  }
  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

describe.skipIf(await withoutPostgres('messages that come twice'))('a ledger in PostgreSQL', () => {
  let database: LedgerDatabase
  let meddler: Meddler
  let port = 0
  beforeAll(async () => {
    database = await ledgerDatabase()
    meddler = new Meddler(Number(new URL(database.url).port))
    port = await meddler.listen()
  })
  afterAll(async () => {
    meddler.close()
    await database.stop()
  })

  test.each<[Mischief, number, number]>([
    ['question twice', 9, 1],
    ['reply twice', 40, 4],
    ['reply dropped', 20, 2],
  ])('with a %s says so, and keeps nobody else waiting', async (mischief, last, step) => {
    const place = database.place()
    const direct = await createLedger(place, create, new Uint8Array(32), { owner: database.owner })
    const through = Object.assign(new URL(place.url), { port: String(port) })
    through.searchParams.set('sslmode', 'disable')
    meddler.mischief = mischief
    const written: string[] = []
    const faults: unknown[] = []
    for (let at = 1; at <= last; at += step) {
      meddler.left = at
      let ledger: Ledger | undefined
      try {
        ledger = await openLedger({ ...place, url: through.href })
        for (let i = 0; i < 2; i++) {
          await ledger.read(0)
          written.push((await ledger.append(reserve(count)))!.hash)
        }
      } catch (error) {
        faults.push(error)
      } finally {
        meddler.left = Number.POSITIVE_INFINITY
      }
      // Somebody who left the lock behind would be waited for, in vain.
      written.push((await direct.append(reserve(count)))!.hash)
      await ledger?.close()
    }
    const kept = (await direct.read(0)).map(({ hash }) => hash)
    expect(written.filter((hash) => !kept.includes(hash))).toEqual([])
    expect(faults.length).toBeGreaterThan(2)
    const codes = new Set(faults.map((fault) => (fault as { code?: string }).code ?? String(fault)))
    expect([...codes]).toEqual(['ledger-unreachable'])
    await direct.close()
  })

  test.each<[Mischief, number]>([
    ['question twice', 1],
    ['reply twice', 11],
    ['reply dropped', 5],
  ])('with a %s at an answer says so, or has recorded it once', async (mischief, last) => {
    const place = database.place()
    const direct = await createLedger(place, create, new Uint8Array(32), { owner: database.owner })
    const through = Object.assign(new URL(place.url), { port: String(port) })
    through.searchParams.set('sslmode', 'disable')
    meddler.mischief = mischief
    const ledger = await openLedger({ ...place, url: through.href })
    for (let at = 1; at <= last; at++) {
      const paid = (await ledger.append(reserve(count)))!.seq
      await direct.append(reserve(count))
      meddler.left = at
      const told = await ledger
        .append({ kind: 'record', reserve: paid, values: [Float64Array.of(5)] })
        .catch((error) => error.code)
      meddler.left = Number.POSITIVE_INFINITY
      await direct.append(reserve(count))
      const found = (await direct.read(0)).filter(({ row }) => row.kind === 'record' && row.reserve === paid)
      expect(found).toHaveLength(1)
      expect([found[0], 'ledger-unreachable']).toContainEqual(told)
      // Replies that nobody waits for are noticed here at the latest.
      await ledger.append(reserve(count)).catch(({ code }) => expect(code).toBe('ledger-unreachable'))
    }
    expect(verifyRows(await direct.read(0))).toEqual([])
    await ledger.close()
    await direct.close()
  })
})
