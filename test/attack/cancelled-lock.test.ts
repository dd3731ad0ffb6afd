import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createLedger, openLedger } from '../../src/trusted/ledger/index.ts'
import { create } from '../contract/ledger-rows.ts'

// The attack: open a ledger in one thread while another thread of the same process writes to it. A process that closes a
// file gives up all of its POSIX locks on it, so another process could write at the same time, and sell what is sold.

const sqlite = JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))
const writer = `
  const { parentPort, workerData } = require('node:worker_threads')
  const database = new (require(${sqlite}))(workerData)
  database.exec("BEGIN IMMEDIATE; INSERT INTO notes VALUES ('half', 'done')")
  parentPort.once('message', () => {
    database.exec('COMMIT')
    database.close()
  })
  parentPort.postMessage('locked')`
const rival = `
  try {
    new (require(${sqlite}))(process.argv[1], { timeout: 0 }).exec('BEGIN IMMEDIATE')
    console.log('writes')
  } catch (error) {
    console.log(error.code)
  }`

test('whoever opens a ledger leaves the locks of other threads as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
  const path = join(folder, 'people.ledger')
  const writes = () => spawnSync(process.execPath, ['-e', rival, path], { encoding: 'utf8' }).stdout.trim()
  await (await createLedger({ kind: 'sqlite', path }, create, new Uint8Array(32))).close()
  const worker = new Worker(writer, { eval: true, workerData: path })
  await once(worker, 'message')
  expect(writes()).toBe('SQLITE_BUSY')
  const ledger = await openLedger({ kind: 'sqlite', path })
  expect(writes()).toBe('SQLITE_BUSY')
  await ledger.close()
  expect(writes()).toBe('SQLITE_BUSY')
  worker.postMessage('go on')
  await once(worker, 'exit')
  expect(writes()).toBe('writes')
  rmSync(folder, { recursive: true })
})
