import { expect, test } from 'vitest'
import { picture } from './picture.ts'

test('blocks as high as their share, the ends of the interval below', () => {
  const masses = [0, 1, 2, 4, 8, 4, 2, 1, 0]
  expect(picture({ from: 0, to: 9, masses }, [2.5, 6.5])).toBe(' ▁▂▄█▄▂▁\n  └───┘')
})

test('an end without a bound is where the picture ends', () => {
  expect(picture({ from: 0, to: 3, masses: [1, 1, 1] }, [null, 1.5])).toBe('███\n└┘')
})
