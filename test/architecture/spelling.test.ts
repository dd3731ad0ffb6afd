import { describe } from 'vitest'
import { refusedIn } from './tree.ts'

const open = '../trusted/exact/open.ts'
const onlyMechanism = 'only trusted/mechanism may import this'

describe('an import is found however it is written:', () => {
  refusedIn('release/a.ts', [
    ['plain', `import { open } from '${open}'`, onlyMechanism],
    ['for its effects', `import '${open}'`, onlyMechanism],
    ['of types', `import type { open } from '${open}'`, onlyMechanism],
    ['inside a type', `type Open = import('${open}').Open`, onlyMechanism],
    ['export from', `export { open } from '${open}'`, onlyMechanism],
    ['lazy', `const m = await import('${open}')`, onlyMechanism],
    ['lazy with options', `const m = await import('${open}', {})`, onlyMechanism],
    ['lazy with a comment', `const m = await import(/**/'${open}')`, onlyMechanism],
    ['no space before a brace', `import{ open } from '${open}'`, onlyMechanism],
    ['no space before a star', `import*as exact from '${open}'`, onlyMechanism],
    ['a comment for a space', `import/**/{ open } from '${open}'`, onlyMechanism],
    ['second on its line', `let z = 1; import { open } from '${open}'`, onlyMechanism],
    ['after an apostrophe', `export const note = 1 // don't look\nimport { open } from '${open}'`, onlyMechanism],
    ['in double quotes, escaped', String.raw`import { open } from "../trusted/exact/\x6fpen.ts"`, onlyMechanism],
    ['a template', `const m = await import(\`${open}\`)`, 'as a plain string'],
    ['a variable', `const path = '${open}'\nconst m = await import(path)`, 'as a plain string'],
    ['import equals', `import exact = require('${open}')`, 'as a plain string'],
    ['a star', "export * from '../numeric/index.ts'", 'list what you export'],
    ['a file that does not parse', 'import {', 'not read'],
  ])
})
