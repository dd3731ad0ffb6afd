import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

// A mechanism that keeps its claim is found violated once in 10^6 runs.
test('`audit --all` finds every mechanism to keep its claim, and every broken one broken', () => {
  // Twice the usual time, since other tests run beside it: a control that is run too seldom is not caught.
  const args = ['audit', '--all', '--seconds', '480', '--json']
  const { status, stdout } = spawnSync(process.execPath, [resolve('dist/cli/main.js'), ...args], { encoding: 'utf8' })
  const { ok, mechanisms } = JSON.parse(stdout)
  expect(mechanisms.filter(({ expected }: { expected: boolean }) => !expected)).toEqual([])
  expect(mechanisms.length).toBeGreaterThan(30)
  expect([ok, status]).toEqual([true, 0])
})
