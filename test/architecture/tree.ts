import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { check } from '../../scripts/arrows/check.ts'

export type Files = Record<string, string>

/** A small sound tree, so that a case breaks the one rule it is about and no other. */
const sound: Files = {
  'index.ts': '',
  'numeric/index.ts': '',
  'numeric/rational.ts': '',
  'schema/index.ts': '',
  'schema/reader/index.ts': '',
  'query/index.ts': '',
  'trusted/accounting/index.ts': '',
  'trusted/engine/index.ts': '',
  'trusted/engine/duckdb/index.ts': '',
  'trusted/engine/trino/index.ts': '',
  'trusted/engine/inspect/index.ts': "import { look } from './look.ts'\nexport const draft = () => look()",
  'trusted/engine/inspect/look.ts': 'export const look = () => {}',
  'trusted/exact/index.ts': "export type { Exact } from './exact.ts'",
  'trusted/exact/exact.ts': 'export class Exact {}',
  'trusted/exact/open.ts': "import { vault } from './vault.ts'\nexport const open = (x: object) => vault.get(x)",
  'trusted/exact/seal.ts': "import { vault } from './vault.ts'\nexport const seal = (x: object) => vault.set(x, x)",
  'trusted/exact/vault.ts': 'export const vault = new WeakMap()',
  'trusted/hash/index.ts': "import { createHash, type Hash } from 'node:crypto'",
  'trusted/ledger/index.ts': '',
  'trusted/mechanism/index.ts': "export { laplace } from './laplace.ts'",
  'trusted/mechanism/laplace.ts':
    "import { open } from '../exact/open.ts'\nexport const laplace = (x: object) => open(x)",
  'trusted/meter/index.ts': '',
  'trusted/random/index.ts': "import { randomFillSync } from 'node:crypto'",
  'inference/index.ts': '',
  'release/index.ts': '',
  'answer/index.ts': '',
  'evaluation/index.ts': '',
  'cli/main.ts': '',
}

const root = mkdtempSync(join(tmpdir(), 'arrows-'))
const write = (files: Files) => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}
write(sound)
afterAll(() => rmSync(root, { recursive: true }))

/** Looks at the sound tree with these files changed or added, then puts it back as it was. */
export function planted<T>(files: Files, look: (folder: string) => T): T {
  write(files)
  try {
    return look(root)
  } finally {
    for (const file of Object.keys(files)) rmSync(join(root, file))
    write(Object.fromEntries(Object.entries(sound).filter(([file]) => file in files)))
  }
}
export const faults = (files: Files) => planted(files, (folder) => check(folder).faults)

/** Each case breaks one rule, and is told so once. */
export const refused = (cases: [string, Files, string][]) => {
  for (const [name, files, message] of cases)
    test(`refuses ${name}`, () => expect(faults(files)).toEqual([expect.stringContaining(message)]))
}
/** Cases of one file with this text. */
export const refusedIn = (file: string, cases: [string, string, string][]) =>
  refused(cases.map(([name, text, message]) => [name, { [file]: text }, message]))
