import { describe, expect, test } from 'vitest'
import {
  answerTexts,
  costText,
  estimateText,
  exactText,
  niceWidth,
  percentText,
  plusMinus,
  roughCount,
  withinText,
} from './number.ts'

describe('an estimate has the digits that its interval supports', () => {
  test.each([
    [18571, 75, '18,570'],
    [18542, 150, '18,540'],
    [18542, 400, '18,500'],
    [29.835645, 0.0777, '29.84'],
    [-3.2, 40, '0'],
    [101576.067, 197.2, '101,580'],
    [12, 0.4, '12'],
    [7, 0, '7'],
  ])('%d ± %d is %s', (value, within, text) => expect(estimateText(value, within)).toBe(text))
  test('nothing is unknown', () => expect(estimateText(null, null)).toBe('unknown'))
})

test('a half-width is rounded up to two digits, rounding errors aside', () => {
  expect(withinText(75.00000000104)).toBe('75')
  expect(withinText(138.753)).toBe('140')
  expect(withinText(0.07769)).toBe('0.078')
  expect(withinText(3)).toBe('3')
  expect(plusMinus(18571, 75)).toBe('18,570 ± 75')
})

test('a cost is never 0 unless it is free', () => {
  expect(costText(0)).toBe('0')
  expect(costText(0.019904894)).toBe('0.0199')
  expect(costText(1)).toBe('1.00')
  expect(costText(0.09998)).toBe('0.100')
  expect(costText(1e-7)).toBe('< 0.00001')
})

test('shares, cells and widths', () => {
  expect(percentText(0.9731)).toBe('97%')
  expect(percentText(0.99995)).toBe('> 99.9%')
  expect(percentText(0.0421)).toBe('4.2%')
  expect(percentText(2.5639)).toBe('256%')
  expect(roughCount(51712)).toBe('52K')
  expect(exactText(18570)).toBe('18,570')
  expect(exactText(29.835645164)).toBe('29.83564516')
  expect(niceWidth(147.3)).toBe(150)
})

test('an interval that the domain cuts off is told by its ends', () => {
  expect(answerTexts(18_571, 75, [18_496, 18_646])).toEqual({ value: '18,570', around: '± 75' })
  expect(answerTexts(0, 13.3, [0, 13.3])).toEqual({ value: 'at most 14', around: '0 … 14' })
  expect(answerTexts(-68, 1078, [0, 1010])).toEqual({ value: 'at most 1,100', around: '0 … 1,100' })
  expect(answerTexts(0.97, 0.2, [0.77, 1])).toEqual({ value: '0.97', around: '0.77 … 1.00' })
  expect(answerTexts(1, 0.2, [0.8, 1])).toEqual({ value: 'at least 0.80', around: '0.80 … 1.00' })
  expect(answerTexts(7, 0, [7, 7])).toEqual({ value: '7', around: 'exactly' })
  expect(answerTexts(5, null, [null, null])).toEqual({ value: '5', around: '± any distance' })
})
