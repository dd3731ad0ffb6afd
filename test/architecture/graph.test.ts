import { expect, test } from 'vitest'
import { importCycles, type Module, moduleOf, unusedExports } from '../../scripts/arrows/graph.ts'

const modules = (files: Record<string, string>): Map<string, Module> =>
  new Map(Object.entries(files).map(([file, text]) => [file, moduleOf(file, text)]))

test('a ring of imports is found, also of types, of lazy ones and through others', () => {
  const rings = (files: Record<string, string>) => importCycles(modules(files))
  expect(
    rings({
      'src/a.ts': "import { b } from './b.ts'",
      'src/b.ts': "import type { C } from './c.ts'",
      'src/c.ts': "export const a = () => import('./a.ts')",
    }),
  ).toEqual(['import cycle: src/a.ts → src/b.ts → src/c.ts → src/a.ts'])
  expect(rings({ 'src/a.ts': "import { b } from './b.ts'", 'src/b.ts': "import { c } from './c.ts'" })).toEqual([])
})

test('an export that nobody imports is found, behind an index too', () => {
  const files = {
    'src/a/index.ts': "export { one, type Two } from './one.ts'",
    'src/a/one.ts': 'export const one = 1\nexport interface Two {}\nexport type Three = 3',
    'src/b.ts': "import { one } from './a/index.ts'",
  }
  expect(unusedExports(modules(files), ['src/b.ts'])).toEqual([
    'src/a/index.ts: nobody imports Two',
    'src/a/one.ts: nobody imports Two',
    'src/a/one.ts: nobody imports Three',
  ])
  const used = {
    ...files,
    'test/c.ts': "import * as all from '../src/a/one.ts'\nimport type { Two } from '../src/a/index.ts'",
  }
  expect(unusedExports(modules(used), ['src/b.ts'])).toEqual([])
})
