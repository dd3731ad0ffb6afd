import { describe, expect, test } from 'vitest'
import { faults, refusedIn } from './tree.ts'

describe('nothing gets past the imports:', () => {
  refusedIn('release/a.ts', [
    ['require', "const exact = require('../trusted/exact/open.ts')", 'require: import what you use'],
    ['an unlisted member of process', 'const f = process.mainModule', 'process.mainModule: not a plain use'],
    ['a computed member of process', "const f = process['dlo' + 'pen']", 'process: not a plain use'],
    ['process under another name', 'const p = process', 'process: not a plain use'],
    ['globalThis', 'const c = globalThis.crypto', 'globalThis'],
    ['global', 'const c = global.crypto', 'global'],
    ['eval', "eval('1')", 'eval: code is written'],
    ['Function', "new Function('1')", 'Function: code is written'],
    ['Web Crypto', 'crypto.getRandomValues(new Uint8Array(4))', 'crypto.getRandomValues: randomness'],
    ['Web Crypto under another name', 'const c = { crypto }', 'crypto: randomness'],
    ['Math.random', 'const x = Math.random()', 'Math.random: randomness'],
    ['Math.random by its text', "const x = Math['random']()", 'Math: randomness'],
    ['Math taken apart', 'const { random } = Math', 'Math: randomness'],
  ])
  refusedIn('evaluation/a.ts', [['unseeded evaluation', 'const x = Math.random()', 'Math.random: randomness']])
  refusedIn('release/a.test.ts', [
    ['require in a test', 'require(String(1))', 'require: import what you use'],
    ['getBuiltinModule in a test', "process['getBuiltinModule']('node:fs')", 'getBuiltinModule: import what you use'],
  ])
})

test('refuses createRequire, as an import and as a name', () => {
  const text = `import { createRequire } from 'node:module'\ncreateRequire(import.meta.url)('../trusted/exact/open.ts')`
  expect(faults({ 'cli/a.ts': text })).toEqual([
    'cli/a.ts:1: node:module: this folder may not import createRequire from it',
    'cli/a.ts:1: createRequire: import what you use',
    'cli/a.ts:2: createRequire: import what you use',
  ])
})

test('refuses getBuiltinModule, as a member of process and as a name', () => {
  expect(faults({ 'release/a.ts': "process.getBuiltinModule('node:crypto').randomBytes(4)" })).toEqual([
    'release/a.ts:1: process.getBuiltinModule: not a plain use of process',
    'release/a.ts:1: getBuiltinModule: import what you use',
  ])
})

describe('what comes from outside is on a list:', () => {
  const stranger = 'not a package of this folder'
  refusedIn('release/a.ts', [
    ['a package of another folder', "import { DuckDBInstance } from '@duckdb/node-api'", stranger],
    ['a module of Node', "import { readFileSync } from 'node:fs'", stranger],
    ['a module of Node by its old name', "import { readFileSync } from 'fs'", stranger],
    ['cryptography', "import { randomBytes } from 'node:crypto'", stranger],
    ['process as a module', "import p from 'node:process'", stranger],
    ['an absolute path', "import { open } from '/src/trusted/exact/open.ts'", stranger],
    ['a file: address', "import { open } from 'file:///src/trusted/exact/open.ts'", stranger],
    ['a data: address', "import 'data:text/javascript,1'", stranger],
    ['the package itself', "import { open } from 'reticent/dist/trusted/exact/open.js'", stranger],
    ['a private alias', "import { open } from '#open'", stranger],
    ['a file outside src', "import { open } from '../../dist/trusted/exact/open.js'", 'outside src/'],
  ])
  refusedIn('trusted/hash/a.ts', [
    ['drawing where one hashes', "import { createHash, randomBytes } from 'node:crypto'", 'may not import randomBytes'],
    ['all of a module at once', "import * as all from 'node:crypto'", 'may not import * from'],
    ['all of a module lazily', "const all = await import('node:crypto')", 'may not import * from'],
    ['the default of a module', "import all from 'node:crypto'", 'may not import default from'],
  ])
  refusedIn('trusted/random/a.ts', [
    ['Web Crypto as a module', "import { webcrypto } from 'node:crypto'", 'may not import webcrypto'],
  ])
  refusedIn('trusted/engine/a.ts', [['a package of a subfolder', "import '@duckdb/node-api'", stranger]])
  refusedIn('release/a.test.ts', [['cryptography in a test', "import { randomBytes } from 'node:crypto'", stranger]])
})
