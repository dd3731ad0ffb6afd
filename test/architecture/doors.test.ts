import { describe } from 'vitest'
import { refused, refusedIn } from './tree.ts'

describe('doors:', () => {
  const peek = "import { open } from '../exact/open.ts'"
  refused([
    ['the meter opening an exact answer', { 'trusted/meter/a.ts': peek }, 'only trusted/mechanism may import this'],
    [
      'the answers’ own folder exporting the opener',
      { 'trusted/exact/index.ts': "export { open } from './open.ts'" },
      'only',
    ],
    ['a way around the opener', { 'trusted/exact/index.ts': "import './vault.ts'" }, 'only trusted/exact/seal.ts'],
    [
      'release code sealing',
      { 'release/a.ts': "import '../trusted/exact/seal.ts'" },
      'only trusted/engine, trusted/meter',
    ],
    ['the library looking at data', { 'index.ts': "import './trusted/engine/inspect/index.ts'" }, 'only cli may'],
    ['an engine looking at data', { 'trusted/engine/a.ts': "import './inspect/index.ts'" }, 'only cli may'],
    ['an engine looking past the door', { 'trusted/engine/index.ts': "import './inspect/look.ts'" }, 'only cli may'],
    ['the owner’s command past the door', { 'cli/a.ts': "import '../trusted/engine/inspect/look.ts'" }, 'only cli may'],
  ])
  refusedIn('trusted/mechanism/index.ts', [
    ['export from', "export { open as peek } from '../exact/open.ts'", 'a door is not exported again'],
    ['import, then export', `${peek}\nexport { open }`, 'open: from a door, may only be called'],
    ['import, then export renamed', `${peek}\nexport { open as peek }`, 'open: from a door'],
    ['import, then export by default', `${peek}\nexport default open`, 'open: from a door'],
    ['another name for it', `${peek}\nexport const peek = open`, 'open: from a door'],
    ['a renamed import', "import { open as o } from '../exact/open.ts'\nconst peek = o", 'o: from a door'],
    ['a field of an object', `${peek}\nexport const tools = { open }`, 'open: from a door'],
    ['an argument', `${peek}\nexport const all = (x: object[]) => x.map(open)`, 'open: from a door'],
    ['the whole door', "import * as door from '../exact/open.ts'", 'by its name'],
    ['the whole door, lazily', "const door = await import('../exact/open.ts')", 'by its name'],
  ])
  refusedIn('trusted/exact/seal.ts', [
    [
      'the vault handed out',
      "import { vault } from './vault.ts'\nexport { vault }",
      'vault: trusted code is not exported',
    ],
  ])
})

describe('trusted code is used, not passed along:', () => {
  const mechanism = '../trusted/mechanism/index.ts'
  const why = 'trusted code is not exported again'
  refusedIn('evaluation/index.ts', [
    ['export from', `export { laplace } from '${mechanism}'`, why],
    ['import, then export', `import { laplace } from '${mechanism}'\nexport { laplace }`, `laplace: ${why}`],
    ['another name for it', `import { laplace } from '${mechanism}'\nexport const noise = laplace`, `laplace: ${why}`],
    ['a whole folder', `import * as noise from '${mechanism}'\nexport { noise }`, `noise: ${why}`],
  ])
})
