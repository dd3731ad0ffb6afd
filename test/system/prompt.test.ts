import { describe, expect, test } from 'vitest'
import { Workspace } from './workspace.ts'

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
  ])('%j is wrong usage', (args, message) => {
    const { status, stdout, stderr } = w.run(...args)
    expect([status, stdout + stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
