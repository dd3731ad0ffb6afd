import { describe, expect, test } from 'vitest'
import { policyText, Workspace } from './workspace.ts'

const questions = `-- two questions
SELECT COUNT(*) FROM people;
SELECT sex, COUNT(*) FROM people GROUP BY sex;
`

describe('questions', () => {
  const w = new Workspace({ 'q.sql': questions, 'none.sql': '-- nothing;' }).withLedger()

  test('come from a file, one after the other, in one session', () => {
    const { status, stdout, stderr } = w.run('ask', '-f', 'q.sql', '--epsilon', '0.2')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^[\d,]+ .*95% sure.*\nsex +count +95% sure\n.*\nFemale .*\nMale .*\n$/)
    expect(stderr).toMatch(/^> SELECT COUNT\(\*\) FROM people\n.*spent 0.2 (.|\n)*\n> SELECT sex(.|\n)*spent 0.4 /)
  })
  test('come from standard input', () => {
    const { status, stdout } = w.feed('SELECT COUNT(*)\nFROM people', 'ask', '-', '--free', '--output', 'json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ query: 'SELECT COUNT(*)\nFROM people', cost: { epsilon: 0 } })
  })
  test('are answered in CSV, with an empty line between tables', () => {
    const { stdout } = w.run('ask', '--file', 'q.sql', '--free', '--csv')
    const number = '-?\\d+(\\.\\d+)?'
    const three = `${number},${number},${number}`
    expect(stdout).toMatch(
      new RegExp(
        `^count,count_low,count_high\n${three}\n\nsex,count,count_low,count_high\nFemale,${three}\nMale,${three}\n$`,
      ),
    )
  })
  test('stop at the first that is refused', () => {
    w.write('wrong.sql', 'SELECT COUNT(*) FROM people; SELECT nothing; SELECT SUM(age) FROM people')
    const { status, stdout, stderr } = w.run('ask', '-f', 'wrong.sql', '--free')
    expect(status).toBe(1)
    expect(stdout.split('\n').length).toBe(2)
    expect(stderr).toContain('SELECT nothing')
    expect(stderr).not.toContain('SUM')
  })
  test.each([
    [['ask', '--free'], 'there is no question'],
    [['ask', '-f', 'q.sql', 'SELECT 1', '--free'], 'given twice'],
    [['ask', '-f', 'gone.sql', '--free'], 'gone.sql cannot be read'],
    [['ask', '-f', 'none.sql', '--free'], 'there is no SQL in none.sql'],
    [['ask', '-f', 'q.sql', '--csv', '--json'], '--csv'],
    [['ask', '-f', 'q.sql', '--output', 'xml'], 'Allowed choices are table, csv, json'],
  ])('%j is wrong usage', async (args, message) => {
    const { status, stdout, stderr } = await w.here(...args)
    expect([status, stdout + stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('the shell, from a pipe', () => {
  const w = new Workspace().withLedger()
  const type = (...lines: string[]) => w.feed(lines.join('\n'), 'shell')

  test('answers statements over several lines, with the precision that was said last', () => {
    const { status, stdout, stderr } = type(
      '\\epsilon 0.1',
      'SELECT COUNT(*) -- everybody;',
      '  FROM people; SELECT AVG(age)',
      'FROM people;',
      '\\free',
      'SELECT COUNT(*) FROM people',
    )
    expect(status).toBe(0)
    expect(stdout).toMatch(/^(.*95% sure: .*\n){3}$/)
    expect(stderr).toMatch(/\\epsilon 0.1\nfresh · cost ε 0.1 (.|\n)*cost ε 0.1 (.|\n)*\\free\nfree · cost ε 0 /)
  })
  test('points at what is wrong, goes on, and ends with status 1', () => {
    const { status, stdout, stderr } = type('\\free', 'SELECT COUNT(*)', 'FROM poeple;', 'SELECT COUNT(*) FROM people;')
    expect(status).toBe(1)
    expect(stderr).toContain('\nFROM poeple\n     ^\nthere is no table "poeple"\nDid you mean people?\n')
    expect(stdout).toMatch(/^.*95% sure.*\n$/)
  })
  test('spends nothing before a precision is said, and plans without spending', () => {
    const { stdout, stderr } = type('SELECT SUM(age) FROM people;', '\\within 100', '\\plan', '\\budget')
    expect(stderr).toMatch(/^say first how precise answers must be.*\n.*\\within 100 asks .*\n\\within 100\n$/)
    expect(stdout).toMatch(
      /^to buy .*\n.*\nsum of age .*\nfresh: cost ε .*\nε +spent +left +cap\n.*\npeople +0.2 +0.8 /,
    )
  })
  test('knows attributes, history and settings, and suggests commands', () => {
    const { stdout, stderr } = type(
      '\\d',
      '\\d sex',
      '\\history',
      '\\history 2',
      '\\confidence 0.9',
      '\\hisotry',
      '\\within',
      '\\q',
      'SELECT',
    )
    expect(stdout).toMatch(/^attribute +kind +values/)
    expect(stdout).toMatch(/sex: values\n {2}Female\n {2}Male\n/)
    expect(stdout).toMatch(/row 2 · .*\nSELECT COUNT.*(.|\n)*cost ε 0.1\n/)
    expect(stderr).toContain('\\confidence 0.9')
    expect(stderr).toContain('there is no command \\hisotry; did you mean history?')
    expect(stderr).toContain('\\within needs a number')
    expect(stderr).not.toContain('syntax')
  })
  test('asks a model of the history, for nothing', () => {
    const { stdout, stderr } = type('\\model kernel SELECT COUNT(*) FROM people WHERE age < 40', '\\model', '\\budget')
    expect(stdout).toMatch(/^.*by the model.*\nε +spent +left +cap\n.*\npeople +0.2 +0.8 /)
    expect(stderr).toContain('\\model needs the name of a model')
  })
  test('prints CSV and JSON', () => {
    const { stdout } = type(
      '\\free',
      '\\output csv',
      'SELECT COUNT(*) FROM people;',
      '\\output json',
      'SELECT COUNT(*) FROM people;',
    )
    expect(stdout).toMatch(/^count,count_low,count_high\n.*\n\{"query":"SELECT COUNT\(\*\) FROM people".*\}\n$/)
  })
})

test('with δ, the prices of parts add up to what is said of the whole', () => {
  const w = new Workspace({
    'reticent.yaml': policyText.replace('epsilon: 1.0', 'epsilon: 1.0\n  delta: 1e-6'),
  }).withLedger()
  const { cost, parts } = w.run('ask', 'SELECT STDDEV(age) FROM people', '--epsilon', '0.3', '--json').json
  const total = parts.reduce((sum: number, { rho }: { rho: number }) => sum + rho, 0)
  expect(parts.length).toBe(3)
  // Both are whole units of 10^-12, added up in floating point.
  expect(Math.abs(total - cost.rho)).toBeLessThan(1e-13)
  const [entry] = w.run('history', '--json').json.releases
  expect(entry.cost).toEqual(cost)
  expect(entry.measurements.map(({ rho }: { rho: number }) => rho)).toEqual(
    parts.map(({ rho }: { rho: number }) => rho),
  )
  const { stderr } = w.run('ask', 'SELECT AVG(income) FROM people', '--epsilon', '0.1')
  expect(stderr).toMatch(/cost ε 0.1 \(ρ [\d.]+\) · spent .*\n {2}ρ [\d.]+ for sum of income.*\n {2}ρ [\d.]+ for count/)
})

test('a prompt understands what others call its commands', () => {
  const w = new Workspace().withLedger()
  const { status, stdout, stderr } = w.feed(
    '.help\nhelp;\n.budget\nSELECT COUNT(*)\nFROM people;\nexit\nSELECT 1;\n',
    'shell',
    '--epsilon',
    '0.1',
  )
  expect(status).toBe(0)
  expect(stderr.match(/Ctrl-D leaves/g)).toHaveLength(2)
  expect(stdout).toContain('people')
  expect(stdout).toMatch(/95% sure/)
})
