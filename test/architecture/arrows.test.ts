import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const check = (files: Record<string, string>) => {
  const root = mkdtempSync(join(tmpdir(), 'arrows-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const { status, stderr } = spawnSync(process.execPath, ['scripts/arrows.mjs', root], { encoding: 'utf8' })
  return { status, stderr }
}

test('the sources follow the architecture', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/arrows.mjs'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

const broken: [string, Record<string, string>, string][] = [
  [
    'an arrow that points the wrong way',
    { 'numeric/a.ts': "import { b } from '../schema/index.ts'" },
    'numeric may not import schema',
  ],
  [
    'a lazy import is an import too',
    { 'query/a.ts': "const m = await import('../trusted/meter/index.ts')" },
    'query may not import trusted/meter',
  ],
  [
    'a re-export is an import too',
    { 'query/index.ts': "export { b } from '../trusted/meter/index.ts'" },
    'query may not import trusted/meter',
  ],
  ['past the index', { 'schema/a.ts': "import { b } from '../numeric/rational.ts'" }, 'through its index.ts'],
  [
    'release code opening an exact answer',
    { 'release/a.ts': "import { open } from '../trusted/exact/open.ts'" },
    'only trusted/mechanism',
  ],
  [
    'the meter opening an exact answer',
    { 'trusted/meter/a.ts': "import { open } from '../exact/open.ts'" },
    'only trusted/mechanism',
  ],
  [
    'the library looking at data for the owner',
    { 'index.ts': "import { look } from './trusted/engine/inspect/index.ts'" },
    'only cli',
  ],
  ['randomness from elsewhere', { 'release/a.ts': "import { randomBytes } from 'node:crypto'" }, 'only trusted/random'],
  [
    'randomness from the hashing room',
    { 'trusted/hash/a.ts': "import { createHash, randomBytes } from 'node:crypto'" },
    'only trusted/random',
  ],
  ['sibling engines', { 'trusted/engine/duckdb/a.ts': "import { b } from '../trino/index.ts'" }, 'are siblings'],
  ['a folder nobody planned', { 'misc/a.ts': '' }, 'no such folder'],
]
for (const [name, files, message] of broken) {
  test(`refuses ${name}`, () => {
    const { status, stderr } = check(files)
    expect(stderr).toContain(message)
    expect(status).toBe(1)
  })
}

test('lets the right arrows pass', () => {
  const { status, stderr } = check({
    'schema/a.ts': "import type { Rational } from '../numeric/index.ts'",
    'trusted/mechanism/laplace/a.ts': "import { open } from '../../exact/open.ts'",
    'trusted/engine/duckdb/a.ts':
      "import { seal } from '../../exact/seal.ts'\nimport type { Engine } from '../engine.ts'",
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
