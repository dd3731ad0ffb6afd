import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { foldersTable } from '../../scripts/arrows/folders.ts'
import { loadPolicy } from '../../src/schema/index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = [
  ...readdirSync(root).filter((f) => f.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.md'))
    .map((f) => join('docs', f)),
]
const read = (page: string) => readFileSync(join(root, page), 'utf8')

/** The name that a heading gets in a link: #what-is-promised. */
const anchors = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )

describe('links', () => {
  test.each(pages)('of %s lead somewhere', (page) => {
    const dead = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].filter(([, path, anchor]) => {
      const target = path === '' ? page : join(dirname(page), path!)
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchors(read(target)).includes(anchor)
    })
    expect(dead.map(([link]) => link)).toEqual([])
  })
})

describe('the page about architecture', () => {
  test.each(['A question', 'A release'])('%s: names at most fifteen files, so that one can follow', (title) => {
    const [, walk] = new RegExp(`\\n## ${title}\\n((?:.|\\n)*?)\\n## `).exec(read('docs/architecture.md'))!
    const files = new Set([...walk!.matchAll(/\]\(\.\.\/(src\/[^)]*)\)/g)].map(([, file]) => file))
    expect(files.size).toBeGreaterThan(8)
    expect(files.size).toBeLessThanOrEqual(15)
  })
})

describe('the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-docs-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  test("'s policy is a policy", async () => {
    const [, policy] = /\n\n( {4}dataset:(?:.|\n)*?)\n\n/.exec(read('docs/guide.md'))!
    writeFileSync(join(folder, 'states.txt'), 'SP\nMG\n')
    writeFileSync(join(folder, 'reticent.yaml'), policy!)
    const { universe, reviewLines } = await loadPolicy(join(folder, 'reticent.yaml'))
    expect(universe.attributes.map((a) => a.size)).toEqual([102, 202, 15, 2, 4, 127 * 12 + 1, 3])
    expect(reviewLines).toEqual([])
  })
})

test('the table of folders is the one that is checked', () => {
  expect(read('CONTRIBUTING.md')).toContain(`\n\n${foldersTable()}\n\n`)
})
