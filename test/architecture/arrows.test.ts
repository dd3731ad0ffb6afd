import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check } from '../../scripts/arrows/check.ts'
import { type Files, faults, planted, refused } from './tree.ts'

const run = (...folder: string[]) =>
  spawnSync(process.execPath, ['scripts/arrows.mjs', ...folder], { encoding: 'utf8' })

// That the sources follow the architecture is looked at by `npm run lint`, with which `npm test` begins.

test('the program fails on a fault, and says in which line', () => {
  const { status, stderr } = planted({ 'numeric/a.ts': "\nimport '../schema/index.ts'" }, run)
  expect(stderr).toBe('numeric/a.ts:2: ../schema/index.ts: numeric may not import schema\n')
  expect(status).toBe(1)
})

describe('arrows point one way:', () => {
  const pairs: [string, string[]][] = [
    ['numeric', ['schema']],
    ['query', ['trusted/meter']],
    ['inference', ['trusted/accounting', 'release']],
    ['release', ['trusted/meter', 'answer']],
    ['answer', ['trusted/engine', 'trusted/mechanism', 'trusted/random', 'trusted/exact']],
    ['.', ['trusted/mechanism', 'trusted/exact', 'trusted/hash', 'evaluation']],
    ['cli', ['trusted/meter', 'trusted/engine', 'trusted/mechanism', 'trusted/ledger', 'answer']],
  ]
  for (const [from, targets] of pairs)
    for (const to of targets) {
      const up = from === '.' ? './' : '../'
      refused([
        [`${from} → ${to}`, { [join(from, 'a.ts')]: `import '${up}${to}/index.ts'` }, `${from} may not import ${to}`],
      ])
    }
  for (const from of ['accounting', 'engine', 'exact', 'hash', 'ledger', 'random'])
    refused([
      [
        `trusted/${from} → trusted/mechanism`,
        { [`trusted/${from}/a.ts`]: "import '../mechanism/index.ts'" },
        `trusted/${from} may not import trusted/mechanism`,
      ],
    ])
  refused([
    ['past the index', { 'schema/a.ts': "import { b } from '../numeric/rational.ts'" }, 'through its index.ts'],
    [
      'the index of a subfolder',
      { 'trusted/meter/a.ts': "import '../engine/duckdb/index.ts'" },
      'a folder through its index.ts',
    ],
    ['past the index in a test', { 'schema/a.test.ts': "import '../numeric/rational.ts'" }, 'through its index.ts'],
    ['sibling engines', { 'trusted/engine/duckdb/a.ts': "import '../trino/index.ts'" }, 'are siblings'],
    ['one engine in all', { 'trusted/engine/sql/a.ts': "import '../duckdb/index.ts'" }, 'are siblings'],
  ])
})

describe('src is a tree of TypeScript files:', () => {
  for (const ending of ['js', 'mjs', 'mts', 'cts', 'tsx', 'json', 'txt'])
    refused([[`.${ending}`, { [`release/a.${ending}`]: '' }, 'only .ts files belong in src']])
  refused([
    ['a folder nobody planned', { 'misc/a.ts': '' }, 'no such folder'],
    ['a file between the folders', { 'trusted/a.ts': '' }, 'no such folder'],
    ['a file that is not there', { 'schema/a.ts': "import './b.ts'" }, 'no such file'],
    ['an address in place of a path', { 'trusted/engine/a.ts': "import './%69nspect/look.ts'" }, 'no such file'],
    ['a query after a path', { 'numeric/a.ts': "import './rational.ts?2'" }, 'no such file'],
  ])
  refused([
    [
      'importing a test',
      {
        'release/a.ts': "import { open } from './b.test.ts'",
        'release/b.test.ts': "import { open } from '../trusted/exact/open.ts'\nexport { open }",
      },
      'nobody imports a test',
    ],
    [
      'a test importing a test',
      { 'release/a.test.ts': "import './b.test.ts'", 'release/b.test.ts': '' },
      'nobody imports a test',
    ],
  ])
  test('refuses a link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'arrows-'))
    for (const name of ['numeric', 'schema']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'numeric/a.ts'), '')
    symlinkSync(join(folder, 'numeric'), join(folder, 'release'))
    symlinkSync(join(folder, 'numeric/a.ts'), join(folder, 'schema/a.ts'))
    expect(check(folder).faults.sort()).toEqual([
      'release: only .ts files belong in src, and no links',
      'schema/a.ts: only .ts files belong in src, and no links',
    ])
    rmSync(folder, { recursive: true })
  })
})

describe('lets pass', () => {
  const passing: [string, Files][] = [
    ['the sound tree', {}],
    ['a type of numbers', { 'schema/a.ts': "import type { Rational } from '../numeric/index.ts'" }],
    [
      'an engine that seals',
      {
        'trusted/engine/duckdb/a.ts': "import { seal } from '../../exact/seal.ts'\nimport '@duckdb/node-api'\nseal({})",
      },
    ],
    [
      'the owner’s command that looks',
      { 'cli/a.ts': "import { draft } from '../trusted/engine/inspect/index.ts'\ndraft()" },
    ],
    [
      'what all engines share',
      { 'trusted/engine/sql/index.ts': 'export {}', 'trusted/engine/duckdb/a.ts': "import '../sql/index.ts'" },
    ],
    ['noise for the meter', { 'trusted/meter/a.ts': "import { laplace } from '../mechanism/index.ts'" }],
    ['noise for an experiment', { 'evaluation/a.ts': "import { laplace } from '../trusted/mechanism/index.ts'" }],
    [
      'types of trusted code in the library',
      { 'dataset/index.ts': "export type { Cap } from '../trusted/accounting/index.ts'" },
    ],
    ['the library for a command', { 'cli/a.ts': "const library = await import('../index.ts')" }],
    ['a package that is on the list', { 'query/sql/a.ts': "const pg = await import('libpg-query')" }],
    [
      'members and keys that look like globals',
      { 'release/a.ts': 'const a = { crypto: 1, Math: 2 }\na.crypto = a.Math' },
    ],
    ['arithmetic and plain uses of process', { 'cli/a.ts': 'process.exitCode = Math.floor(1.5)' }],
    [
      'words in comments and strings',
      { 'release/a.ts': '// import(x), Math.random()\nconst s = "import \'node:fs\'"' },
    ],
    [
      'a test that looks everywhere',
      {
        'release/a.test.ts': `import { test } from 'vitest'\nimport { open } from '../trusted/exact/open.ts'\nimport '../../test/support/x.ts'\nMath.random()`,
      },
    ],
  ]
  for (const [name, files] of passing) test(name, () => expect(faults(files)).toEqual([]))
})
