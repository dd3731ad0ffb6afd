import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLedgerFor, exportLedger, moveLedgerFor, open, verifyLedger } from '../../src/index.ts'
import { withoutPostgres } from '../support/postgres.ts'
import { type LedgerDatabase, ledgerDatabase } from '../support/postgres-ledger.ts'
import { people, policyText } from '../system/workspace.ts'

// The attack: somebody on the network between Reticent and its ledger cuts a connection while a row is committed: just before the server has the
// commit, or just after, so that it stands and nobody is told, or in the middle of being told. If the charge were taken for missing
// and the answer given all the same, it would be free; taken for made twice, budget would be lost; and an answer that nobody got
// might be sold a second time.

/** Where a connection is cut: before the server gets it, or after so many bytes of what it says to the row and the commit. */
type Where = 'before' | number

/** What the server says to a row: letter, length, words. */
const inserted = 'C\0\0\0\u000fINSERT 0 1'

/** Passes bytes on, and cuts the connection at the n-th commit. */
class Knife {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #left = Number.POSITIVE_INFINITY
  #where: Where = 'before'
  hasCut = false

  constructor(port: number) {
    this.#server = createServer((client) => {
      const server = dial(port, '127.0.0.1')
      let room = Number.POSITIVE_INFINITY
      const cut = () => {
        this.hasCut = true
        client.destroy()
        // What was sent to the server shall arrive.
        server.end()
      }
      client.on('data', (bytes) => {
        if (bytes.includes('; COMMIT') || bytes.includes('COMMIT\0')) this.#left--
        if (this.#left === 0 && !this.hasCut) {
          if (this.#where === 'before') return cut()
          room = this.#where
        }
        server.write(bytes)
      })
      server.on('data', (bytes) => {
        // Where more was asked in the same message, that comes first.
        if (room < Number.POSITIVE_INFINITY) room += Math.max(0, bytes.indexOf(inserted))
        if (bytes.length < room) {
          room -= bytes.length
          client.write(bytes)
        } else {
          client.write(bytes.subarray(0, room))
          cut()
        }
      })
      for (const [one, other] of [[client, server] as const, [server, client] as const]) {
        this.#sockets.add(one)
        one.on('error', () => {})
        one.on('close', () => other.end())
      }
    })
  }
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as { port: number }).port
  }
  /** From now on the n-th commit is cut, once. */
  at(n: number, where: Where): void {
    this.hasCut = false
    this.#left = n
    this.#where = where
  }
  sheathe(): void {
    this.#left = Number.POSITIVE_INFINITY
  }
  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

/** Cuts connections there: at charges, answers and moves out of PostgreSQL, and at moves into it. */
export async function cutCommits(places: readonly Where[], ofMoves: readonly Where[]): Promise<void> {
  describe.skipIf(await withoutPostgres('commits that are cut, in PostgreSQL'))('a commit that is cut', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reticent-cut-'))
    let database: LedgerDatabase
    let knife: Knife
    let policy = ''
    let policies = 0
    beforeAll(async () => {
      database = await ledgerDatabase()
      knife = new Knife(Number(new URL(database.url).port))
      const port = String(await knife.listen())
      const through = (url: string) => Object.assign(new URL(url), { port }).href
      vi.stubEnv('CUT', through(database.url))
      vi.stubEnv('CUT_OWNER', through(database.owner))
      writeFileSync(join(folder, 'people.csv'), people)
    })
    afterAll(async () => {
      vi.unstubAllEnvs()
      knife.close()
      await database.stop()
      rmSync(folder, { recursive: true })
    })
    beforeEach(() => {
      knife.sheathe()
      policy = join(folder, `${policies++}.yaml`)
      const ledger = `ledger: { postgres: env:CUT, schema: cut_${policies} }`
      writeFileSync(policy, policyText.replace(/ledger:.*/, ledger))
    })

    const rows = async () => (await exportLedger(policy)).map((row) => JSON.parse(row).row.kind)
    const question = 'SELECT COUNT(*) FROM people WHERE age < 40'

    test.each(places)('at the charge, %s: the charge stands or not, and no answer was given', async (where) => {
      await createLedgerFor(policy, undefined, { owner: 'env:CUT_OWNER' })
      const data = await open(policy)
      try {
        knife.at(1, where)
        const error = await data.ask(question, { epsilon: 0.25 }).catch((e) => e)
        expect(knife.hasCut).toBe(true)
        expect(error).toMatchObject({ name: 'ReticentError', code: 'ledger-unreachable' })
        knife.sheathe()
        const { spent } = await data.budget()
        const kinds = await rows()
        // Before the server had it there is nothing; afterwards the charge is there, and nothing was drawn for it.
        expect(kinds).toEqual(where === 'before' ? ['create'] : ['create', 'reserve'])
        expect(spent.epsilon).toBeCloseTo(where === 'before' ? 0 : 0.25, 12)
        // Another question: whoever asks the same waits for the answer to a charge that is open.
        expect((await data.ask('SELECT COUNT(*) FROM people', { epsilon: 0.25 })).kind).toBe('fresh')
        expect((await data.budget()).spent.epsilon).toBeCloseTo(where === 'before' ? 0.25 : 0.5, 12)
      } finally {
        await data.close()
      }
      expect(await verifyLedger(policy)).toMatchObject({ ok: true })
    })

    test.each(places)('at the answer, %s: it is lost, or in the history and free', async (where) => {
      await createLedgerFor(policy, undefined, { owner: 'env:CUT_OWNER' })
      const data = await open(policy)
      try {
        knife.at(2, where)
        const error = await data.ask(question, { within: 30 }).catch((e) => e)
        expect(knife.hasCut).toBe(true)
        expect(error).toMatchObject({ name: 'ReticentError' })
        expect(error).not.toHaveProperty('estimate')
        knife.sheathe()
        const paid = (await data.budget()).spent.epsilon
        expect(paid).toBeGreaterThan(0)
        expect(await rows()).toEqual(where === 'before' ? ['create', 'reserve'] : ['create', 'reserve', 'record'])
        const again = await data.ask(question, { within: 30 })
        expect(again.kind).toBe(where === 'before' ? 'fresh' : 'free')
        expect((await data.budget()).spent.epsilon).toBeCloseTo(where === 'before' ? 2 * paid : paid, 9)
      } finally {
        await data.close()
      }
      expect(await verifyLedger(policy)).toMatchObject({ ok: true })
    })

    describe('at the end of a move', () => {
      const inFile = () => `ledger: { sqlite: ${policies}.ledger }`
      const inPostgres = () => `ledger: { postgres: env:CUT, schema: cut_${policies} }`
      const name = (ledger: string) => writeFileSync(policy, policyText.replace(/ledger:.*/, ledger))

      /** Moves it, is cut off, and moves it again: at no time is the old one open beside the new one. */
      async function moved(from: string, to: Parameters<typeof moveLedgerFor>[1], into: string, where: Where) {
        name(from)
        await createLedgerFor(policy, undefined, { owner: 'env:CUT_OWNER' })
        const data = await open(policy)
        await data.ask(question, { epsilon: 0.25 })
        await data.close()
        knife.at(1, where)
        const failed = await moveLedgerFor(policy, to).catch((e) => e)
        expect(knife.hasCut).toBe(true)
        expect(failed).toMatchObject({ name: 'ReticentError' })
        knife.sheathe()
        const isOpen = async (ledger: string) => {
          name(ledger)
          return open(policy).then(
            (it) => it.close().then(() => true),
            () => false,
          )
        }
        expect([await isOpen(from), await isOpen(into)]).not.toEqual([true, true])
        name(from)
        await moveLedgerFor(policy, to)
        expect([await isOpen(from), await isOpen(into)]).toEqual([false, true])
        expect(await rows()).toEqual(['create', 'reserve', 'record'])
        expect(await verifyLedger(policy)).toMatchObject({ ok: true })
      }

      test.each(ofMoves)('into PostgreSQL, %s: one is open in the end', async (where) => {
        const to = { to: 'env:CUT', schema: `cut_${policies}`, owner: 'env:CUT_OWNER' }
        await moved(inFile(), to, inPostgres(), where)
      })
      test.each(places)('out of PostgreSQL, %s: one is open in the end', async (where) => {
        await moved(inPostgres(), { to: join(folder, `${policies}.ledger`) }, inFile(), where)
      })
    })
  })
}
