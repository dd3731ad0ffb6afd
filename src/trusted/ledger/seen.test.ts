import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatReceipt, parseReceipt } from './receipt.ts'
import { headFileOf, readSeen, writeSeen } from './seen.ts'

const head = { seq: 42, hash: '0123456789abcdef'.repeat(4) }

test('a receipt is the number of a row and its hash', () => {
  expect(formatReceipt(head)).toBe(`42:${head.hash}`)
  expect(parseReceipt(`${formatReceipt(head)}\n`)).toEqual(head)
  for (const text of [
    '',
    '42',
    `0:${head.hash}`,
    `-1:${head.hash}`,
    `42:${head.hash}0`,
    `42:${head.hash.toUpperCase()}`,
  ])
    expect(parseReceipt(text)).toBeUndefined()
})

describe('the head last seen', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reticent-seen-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('stands beside the policy', () => {
    expect(headFileOf('/a/reticent.yaml')).toBe('/a/reticent.head')
    expect(headFileOf('/a/census.yml')).toBe('/a/census.head')
    expect(headFileOf('/a.yaml/policy')).toBe('/a.yaml/policy.head')
  })

  test('only ever moves forward', () => {
    const file = join(folder, 'reticent.head')
    writeSeen(file, head)
    writeSeen(file, { ...head, seq: 41 })
    expect(readSeen(file)).toEqual(head)
    writeSeen(file, { ...head, seq: 43 })
    expect(readSeen(file)).toEqual({ ...head, seq: 43 })
  })

  test('comes back as it was written, and nothing is left beside it', () => {
    const file = join(folder, 'reticent.head')
    expect(readSeen(file)).toBeUndefined()
    expect(writeSeen(file, head)).toBe(true)
    expect(readSeen(file)).toEqual(head)
    expect(writeSeen(file, { ...head, seq: 43 })).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(`43:${head.hash}\n`)
    expect(readdirSync(folder)).toEqual(['reticent.head'])
  })

  test('that cannot be written is no failure', () => {
    expect(writeSeen(join(folder, 'no', 'reticent.head'), head)).toBe(false)
    mkdirSync(join(folder, 'reticent.head'))
    expect(writeSeen(join(folder, 'reticent.head'), head)).toBe(false)
    expect(readdirSync(folder)).toEqual(['reticent.head'])
  })

  test('that cannot be read is one', () => {
    const file = join(folder, 'reticent.head')
    for (const text of ['', '42:', `42:${head.hash.slice(1)}`]) {
      writeFileSync(file, text)
      expect(() => readSeen(file)).toThrow(expect.objectContaining({ code: 'ledger-corrupt' }))
    }
  })
})
