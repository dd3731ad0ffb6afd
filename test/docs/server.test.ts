import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

const page = readFileSync('docs/server.md', 'utf8')
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text!)
const commands = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').trim().split('\n'))

const s = new Serving()
let env = {}
beforeAll(async () => {
  await s.table('people', (policy) =>
    policy.replace('epsilon: 1.0', 'epsilon: 1.0\n  analysts: { alice: 0.9, bob: 0.1 }'),
  )
  const [OWNER, TOKEN] = [await s.token('owner'), await s.token('analyst', 'alice')]
  await s.start()
  env = { ...process.env, URL: s.url, OWNER, TOKEN }
})
afterAll(() => s.stop())

test('the page has examples', () => expect(commands.length).toBeGreaterThan(15))

// In the order of the page: what is improved was asked before.
test.each(commands)('%s', async (command) => {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env, maxBuffer: 1e8 })
  const said = JSON.parse(stdout)
  expect(said.error).toBeUndefined()
})
