import { expect, test } from 'vitest'
import { chart, type Panel } from './svg.ts'

const panel: Panel = {
  title: 'a < b',
  x: { label: 'n' },
  y: { label: 'ms', log: true },
  series: [
    { name: 'one', points: [[1, 10], [2, 0], [3, 1000]] }, // biome-ignore format: a list of points
    { name: 'two', points: [] },
  ],
}
const points = (picture: string) => [...picture.matchAll(/points="([^"]*)"/g)].map(([, list]) => list!.split(' '))

test('a picture stands alone, quotes what it is given and draws only what has a place', () => {
  const picture = chart('t & u', [panel, panel, panel])
  expect(picture).not.toMatch(/<script|href=|url\(|@import|NaN|Infinity|undefined/)
  expect(picture).toContain('a &#60; b')
  expect(picture).toContain('<title>t &#38; u</title>')
  expect(points(picture)[0]).toHaveLength(2) // 0 has no place on a logarithmic axis
  expect(picture.match(/>one</g)).toHaveLength(1) // one legend for all panels
})

test('a legend that is too long for a row goes on in the next, and pushes the panels down', () => {
  const many = { ...panel, series: Array.from({ length: 9 }, (_, i) => ({ name: `a line ${i}`, points: [] })) }
  const picture = chart('', [many])
  const places = [...picture.matchAll(/<text x="([\d.]+)" y="(\d+)">a line/g)].map(([, x, y]) => [Number(x), Number(y)])
  expect(places).toHaveLength(9)
  for (const [x] of places) expect(x!).toBeLessThan(420)
  const lowest = Math.max(...places.map(([, y]) => y!))
  expect(lowest).toBeGreaterThan(places[0]![1]!)
  expect(Number(/translate\(0 (\d+)\)/.exec(picture)![1])).toBeGreaterThan(lowest)
})

test('no two of nine lines look alike', () => {
  const many = { ...panel, series: Array.from({ length: 9 }, (_, i) => ({ name: `${i}`, points: [[1, 1]] as const })) }
  const strokes = [...chart('', [many]).matchAll(/<polyline points="[^"]*" (stroke="[^"]*" stroke-dasharray="[^"]*")/g)]
  expect(new Set(strokes.map(([, stroke]) => stroke)).size).toBe(9)
})

test('more is higher and farther right', () => {
  const [[first, last]] = points(chart('', [panel])) as [[string, string]]
  const [[x1, y1], [x2, y2]] = [first.split(',').map(Number), last.split(',').map(Number)] as [number[], number[]]
  expect(x2!).toBeGreaterThan(x1!)
  expect(y2!).toBeLessThan(y1!)
})

test.each([[[0, 0]], [[5, 5]], [[0.001, 0.003]], [[-3, 7]], [[0, 12_345_678]]])(
  'a linear axis has two to eleven round ticks around %j',
  (ends) => {
    const flat = { ...panel, y: { label: '' }, series: [{ name: 's', points: ends.map((y, i) => [i, y] as const) }] }
    const picture = chart('', [flat])
    expect(picture).not.toMatch(/NaN|Infinity/)
    const ticks = picture.match(/text-anchor="end"/g)!.length
    expect(ticks).toBeGreaterThanOrEqual(2)
    expect(ticks).toBeLessThanOrEqual(11)
  },
)
