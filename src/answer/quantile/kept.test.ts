import { expect, test } from 'vitest'
import { type Cut, kept, type Side } from './kept.ts'

const cut = (at: number, deviation: number, side: Side | ((sharing: number) => Side)): Cut => ({
  at,
  excess: 0,
  deviation,
  side: typeof side === 'function' ? side : () => side,
})
const all = { after: -1, upTo: 59 }
const ends = [cut(10, 1, 'above'), cut(50, 1, 'below')]

test('a cut far away that is known much better silences no nearer one', () => {
  expect(kept(all, [...ends, cut(20, 10, 'above'), cut(30, 10, 'below')])).toEqual({ after: 20, upTo: 30 })
})

test('cuts that decide about the same range share the doubt, and no others', () => {
  const onlyAlone = (side: Side) => (sharing: number) => (sharing === 1 ? side : undefined)
  expect(kept(all, [cut(20, 10, onlyAlone('above')), cut(30, 10, onlyAlone('below'))])).toEqual({ after: 20, upTo: 30 })
  expect(kept(all, [...ends, cut(20, 10, onlyAlone('above')), cut(30, 10, onlyAlone('below'))])).toEqual({
    after: 10,
    upTo: 50,
  })
  // Not known much better: the nearest decides by itself.
  const similar = [cut(10, 6, 'above'), cut(50, 6, 'below')]
  expect(kept(all, [...similar, cut(20, 10, onlyAlone('above')), cut(30, 10, onlyAlone('below'))])).toEqual({
    after: 20,
    upTo: 30,
  })
})
