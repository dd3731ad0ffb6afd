import { expect, test } from 'vitest'
import { progressBar } from './progress.ts'

test('a bar fills up on a terminal, says each percent once, and leaves nothing behind', () => {
  const written: string[] = []
  const bar = progressBar({
    isTTY: true,
    columns: 80,
    write: (text: string | Uint8Array) => written.push(String(text)) > 0,
  })
  for (const share of [0, 0.001, 0.5, 0.5, 1, 1.2]) bar.at(share)
  bar.end()
  expect(written.slice(0, -2).map((text) => text.split(' ').at(-1))).toEqual(['0%', '50%', '100%'])
  expect(written[1]).toContain(`${'█'.repeat(15)}${'░'.repeat(15)}`)
  expect(written.slice(-2).join('').trim()).toBe('')
})

test('what is being done stands beside it, on one line, and nothing of a longer text stays', () => {
  const written: string[] = []
  const bar = progressBar({
    isTTY: true,
    columns: 50,
    write: (text: string | Uint8Array) => written.push(String(text)) > 0,
  })
  bar.at(0.5, 'round 3 of 12: a rather long name\n\u001b[31m')
  bar.at(0.5, 'done')
  expect(written[0]).toHaveLength(50)
  expect(written[0]).not.toContain('\n')
  expect(written[0]).not.toContain('\u001b')
  expect(written[1]!.length).toBe(written[0]!.length)
  expect(written[1]!.trimEnd().endsWith('50% done')).toBe(true)
})

test('nothing is written where nobody looks', () => {
  const bar = progressBar({
    isTTY: false,
    columns: 80,
    write: () => {
      throw new Error('written')
    },
  })
  bar.at(0.5)
  bar.end()
})
