import { expect, test } from 'vitest'
import { progressBar } from './progress.ts'

test('a bar fills up on a terminal, says each percent once, and leaves nothing behind', () => {
  const written: string[] = []
  const bar = progressBar({ isTTY: true, write: (text: string | Uint8Array) => written.push(String(text)) > 0 })
  for (const share of [0, 0.001, 0.5, 0.5, 1, 1.2]) bar.at(share)
  bar.end()
  expect(written.slice(0, -1).map((text) => text.split(' ').at(-1))).toEqual(['0%', '50%', '100%'])
  expect(written[1]).toContain(`${'█'.repeat(15)}${'░'.repeat(15)}`)
  expect(written.at(-1)!.trim()).toBe('')
})

test('nothing is written where nobody looks', () => {
  const bar = progressBar({
    isTTY: false,
    write: () => {
      throw new Error('written')
    },
  })
  bar.at(0.5)
  bar.end()
})
