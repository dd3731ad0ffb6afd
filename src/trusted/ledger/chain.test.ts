import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyRow } from '../../../test/contract/any-row.ts'
import { sha256 } from '../hash/index.ts'
import { genesis, linkRow, type RawRow, readChain, verifyChain } from './chain.ts'
import { encodeRow } from './rows/encode.ts'
import type { Row } from './rows/row.ts'

const at = '2026-01-02T03:04:05.678Z'
const corrupt = expect.objectContaining({ code: 'ledger-corrupt' })

const chainOf = (rows: readonly Row[]): RawRow[] => {
  const chain: RawRow[] = []
  for (const row of rows) chain.push(linkRow(chain.at(-1) ?? genesis, at, encodeRow(row)))
  return chain
}
const someRows = fc.array(anyRow(), { minLength: 3, maxLength: 6 })

describe('the chain', () => {
  test('hashes what docs/ledger.md says it hashes', () => {
    const [row] = chainOf([{ kind: 'record', reserve: 2, values: [Float64Array.of(1)] }])
    const body = '{"kind":"record","reserve":2}'
    const bytes = `${sha256('reticent ledger, format 1')}:1:24:${at}29:${body}3:\x02\x02\x02`
    expect(row!.hash).toBe(sha256(bytes))
  })

  test('gives back the rows that it was made from', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const chain = chainOf(rows)
        expect(readChain(chain, genesis).map(({ row }) => row)).toEqual(rows)
        expect(readChain(chain.slice(2), chain[1]!).map(({ seq }) => seq)).toEqual(chain.slice(2).map(({ seq }) => seq))
        expect(verifyChain(chain)).toEqual({ seq: rows.length, hash: chain.at(-1)!.hash })
      }),
      { numRuns: 30 },
    )
  })

  const tampering: { [name: string]: (chain: RawRow[], i: number) => RawRow[] } = {
    'a changed time': (c, i) => c.with(i, { ...c[i]!, at: '2026-01-02T03:04:05.679Z' }),
    'a changed text': (c, i) => c.with(i, { ...c[i]!, body: `${c[i]!.body} ` }),
    'a changed blob': (c, i) => c.with(i, { ...c[i]!, blob: Uint8Array.of(...c[i]!.blob, 0) }),
    'a changed hash': (c, i) => c.with(i, { ...c[i]!, hash: 'a'.repeat(64) }),
    'text moved into the blob': (c, i) =>
      c.with(i, { ...c[i]!, body: c[i]!.body.slice(0, -1), blob: Uint8Array.of(125, ...c[i]!.blob) }),
    'a row left out': (c, i) => c.toSpliced(i, 1),
    'a row left out and the rest renumbered': (c, i) => c.toSpliced(i, 1).map((row, n) => ({ ...row, seq: n + 1 })),
    'a row twice': (c, i) => c.toSpliced(i, 0, c[i]!),
    'two rows exchanged': (c, i) => c.with(i, { ...c[i + 1]!, seq: i + 1 }).with(i + 1, { ...c[i]!, seq: i + 2 }),
  }
  for (const [name, tamper] of Object.entries(tampering)) {
    test(`does not hold after ${name}`, () => {
      fc.assert(
        fc.property(someRows, fc.nat(), (rows, n) => {
          const chain = chainOf(rows)
          // Anywhere but at the end: a shorter chain is a good chain, and what a receipt is for.
          expect(() => verifyChain(tamper(chain, n % (rows.length - 1)))).toThrow(corrupt)
        }),
        { numRuns: 30 },
      )
    })
  }

  test('that was hashed anew after a change has another head', () => {
    fc.assert(
      fc.property(someRows, fc.nat(), (rows, n) => {
        const i = n % rows.length
        const cap: Row = { kind: 'cap', epsilon: { num: 10n ** 6n, den: 1n }, delta: { num: 0n, den: 1n } }
        fc.pre(JSON.stringify(encodeRow(rows[i]!)) !== JSON.stringify(encodeRow(cap)))
        expect(chainOf(rows.with(i, cap)).at(-1)!.hash).not.toBe(chainOf(rows).at(-1)!.hash)
      }),
      { numRuns: 30 },
    )
  })

  test('with a good hash over a row that cannot be read names the row', () => {
    const strange = linkRow(genesis, at, { body: '{"kind":"refund","amount":"1"}', blob: new Uint8Array() })
    const error = expect.objectContaining({ code: 'ledger-corrupt', facts: { row: 1 } })
    expect(() => readChain([strange], genesis)).toThrow(error)
  })
})
