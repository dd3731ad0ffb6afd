import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadPolicy } from '../../src/schema/index.ts'
import { policyText, Workspace } from '../system/workspace.ts'

const workspace = new Workspace()
const pipe = workspace.path('pipe')
execFileSync('mkfifo', [pipe])
const huge = workspace.path('huge')
writeFileSync(huge, '')
truncateSync(huge, 2 ** 40)

/** What is said about a policy, or about one with this text in place of a list of values. */
const said = async (file: string): Promise<string> => {
  try {
    await loadPolicy(file)
    return 'nothing'
  } catch (error) {
    return (error as { detail?: string }).detail ?? ''
  }
}
const withValues = (values: string) => {
  workspace.write('policy.yaml', policyText.replace('values: [CA, TX, NY]', `values: ${values}`))
  return said(workspace.path('policy.yaml'))
}

describe.each([
  ['a device without end', '/dev/zero', 'not a regular file'],
  ['a pipe that nobody writes to', pipe, 'not a regular file'],
  ['a file of a terabyte', huge, 'longer than 16 MB'],
  ['a folder', workspace.dir, 'a folder, not a file'],
])('%s', (_, path, reason) => {
  test('is no list of values', async () => {
    expect(await withValues(`"file:${path}"`)).toContain(reason)
  })
  test('is no policy', async () => {
    expect(await said(path)).toContain(reason)
  })
})

test('a file that claims to be empty and is not is read to its end', async () => {
  expect(await withValues('"file:/proc/self/status"')).toBe('nothing')
})

describe('YAML', () => {
  test('that repeats itself by aliases is refused', async () => {
    const bomb = `${policyText.replace('values: [CA, TX, NY]', 'values: &a [CA, TX, NY]')}${Array.from({ length: 200 }, (_, i) => `x${i}: *a\n`).join('')}`
    workspace.write('bomb.yaml', bomb)
    expect(await said(workspace.path('bomb.yaml'))).toContain('at most 100 aliases')
  })

  test('that is nested without end is refused', async () => {
    for (const text of ['['.repeat(200_000), `dataset: ${'{a: '.repeat(100_000)}`, '- '.repeat(200_000)]) {
      workspace.write('deep.yaml', text)
      expect(await said(workspace.path('deep.yaml'))).toMatch(/nested too deeply|not valid YAML/)
    }
  })
})
