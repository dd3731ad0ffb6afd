import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { experiments } from '../../src/evaluation/index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pagesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`)
const read = (page: string) => readFileSync(join(root, page), 'utf8')

/** Tables that say what something is, and measure nothing. */
const definitions = [
  '| | any query |',
  '| method | what it does |',
  '| by how much one unit moves',
  '| what is released |',
  '| charge | rate in ε |',
  '| | time | memory |',
]

/** Each table's header, and the paragraph below it. */
function tablesOf(text: string): (readonly [header: string, below: string])[] {
  return [...text.matchAll(/^(\|.*\|)\n\|[-| :]+\|\n(?:\|.*\n)+\n?(.*)/gm)].map(([, header, below]) => [
    header!,
    below!,
  ])
}

describe('the tables of algorithms', () => {
  test.each(pagesIn('docs/algorithms'))('%s: say what made them, and at which commit', (page) => {
    const nameless = tablesOf(read(page))
      .filter(([header]) => !definitions.some((start) => header.startsWith(start)))
      .filter(([, below]) => !/^(Made|Measured) .*commit [0-9a-f]{7}/i.test(below))
    expect(nameless).toEqual([])
    for (const [, below] of tablesOf(read(page)))
      for (const [, path] of below.matchAll(/`((?:scripts|bench)\/[^`]*)`/g))
        expect(existsSync(join(root, path!))).toBe(true)
  })
})

/** Ruled tables, as experiments print them, or pictures. */
const hasFigures = (text: string): boolean => /^ {4}─|^!\[/m.test(text)

describe('the tables and pictures of results', () => {
  const names = experiments.map(({ name }) => name)
  test.each(pagesIn('docs/results'))(
    '%s: are in sections named for an experiment, and the page says at which commit',
    (page) => {
      const text = read(page)
      if (hasFigures(text)) expect(text).toMatch(/commits? [0-9a-f]{7}/)
      const nameless = text.split(/^(?=## )/m).filter((section) => {
        const [title] = section.split('\n')
        return hasFigures(section) && !names.some((name) => title!.includes(`\`${name}\``))
      })
      expect(nameless.map((section) => section.split('\n')[0])).toEqual([])
    },
  )
})

/** The commits behind this one, by seven letters; none without git, or where only the last ones were fetched. */
function history(): ReadonlySet<string> {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout ?? ''
  if (git('rev-parse', '--is-shallow-repository').trim() !== 'false') return new Set()
  return new Set(git('rev-list', 'HEAD').match(/^[0-9a-f]{7}/gm))
}

const commits = history()
test.skipIf(commits.size === 0)('commits that are named behind figures are in the history', () => {
  const missing = [...pagesIn('docs/algorithms'), ...pagesIn('docs/results')].flatMap((page) =>
    [...read(page).matchAll(/commits? ([0-9a-f]{7})\b/g)]
      .filter(([, commit]) => !commits.has(commit!))
      .map(([, commit]) => `${page}: ${commit}`),
  )
  expect(missing).toEqual([])
})
