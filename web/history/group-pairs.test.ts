import { expect, test } from 'vitest'
import type { Group } from '../ask/columns.ts'
import { groupPairs } from './group-pairs.ts'

const group = (education: string | null, estimate: number, more: Partial<Group> = {}): Group => ({
  key: { education },
  estimate,
  interval: [estimate - 1, estimate + 1],
  within: 1,
  ...more,
})

test('a group stands beside itself, though the order has changed and one has gone', () => {
  const before = [group('Masters', 9), group('Doctorate', 8), group('Bachelors', 7)]
  const now = [group('Bachelors', 70), group('Masters', 90), group('10th', 60)]
  const found = groupPairs(before, now).map((pair) => [pair.before.estimate, pair.now?.estimate])
  expect(found).toEqual([
    [9, 90],
    [8, undefined],
    [7, 70],
  ])
})

test('a total is not the group of the missing values', () => {
  const [total, missing] = [group(null, 100, { all: ['education'] }), group(null, 3)]
  expect(groupPairs([missing, total], [total, missing]).map(({ now }) => now?.estimate)).toEqual([3, 100])
})
