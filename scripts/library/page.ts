import { readFileSync } from 'node:fs'
import { type Declaration, publicDeclarations } from './declarations.ts'

const examples = readFileSync(new URL('../../test/docs/library-examples.ts', import.meta.url), 'utf8')

/** An example by its title: what stands between its line `// example: …` and the next. */
function example(title: string): string {
  const [, text] = new RegExp(`// example: ${title}\\n([\\s\\S]*?)\\n(?:// example:|$)`).exec(`${examples}\n`) ?? []
  if (text === undefined) throw new Error(`there is no example ${title}`)
  const body = text.split('\n').filter((line) => !/^(export async function|\}$)/.test(line))
  return ['```ts', ...body.map((line) => line.replace(/^ {2}/, '')), '```'].join('\n').replace(/\n\n+```/, '\n```')
}

const section = ({ name, comment, text, file }: Declaration): string =>
  [`### ${name}`, '', ...(comment ? [comment, ''] : []), '```ts', text, '```', '', `<sub>${file}</sub>`].join('\n')

const byName = (a: Declaration, b: Declaration) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)

/** docs/library.md: made from the declarations behind src/index.ts, and from examples that are compiled. */
export function libraryPage(): string {
  const all = publicDeclarations()
  const of = (kind: Declaration['kind']) =>
    all.filter((each) => each.kind === kind && each.name !== 'Dataset').sort(byName)
  const dataset = all.find(({ name }) => name === 'Dataset')!
  return [
    '# The library',
    '',
    'Every public name of `reticent`, as it is declared. `node scripts/library/make.ts` writes this page from the sources and from',
    'examples that are compiled; a test compares.',
    '',
    '## Examples',
    '',
    "Names come from the package: `import { open, openFolder, publish, Refusal, ReticentError } from 'reticent'`.",
    '',
    ...['asking', 'planning before paying', 'handling refusals', 'publishing tables', 'stopping'].flatMap((title) => [
      `**${title[0]!.toUpperCase()}${title.slice(1)}**`,
      '',
      example(title),
      '',
    ]),
    '## The opened table',
    '',
    section(dataset),
    '',
    '## Functions',
    '',
    of('function').map(section).join('\n\n'),
    '',
    '## Errors',
    '',
    of('class').map(section).join('\n\n'),
    '',
    '## Types',
    '',
    of('type').map(section).join('\n\n'),
    '',
  ].join('\n')
}
