import { expect, test } from 'vitest'
import { DatasetThread } from './dataset-thread.ts'

test('a thread that was closed does not start again, whoever still has work for it', async () => {
  const thread = new DatasetThread('nowhere/reticent.yaml')
  const open = thread.do('ask', { sql: 'SELECT COUNT(*) FROM people', free: true })
  await expect(open).rejects.toMatchObject({ code: 'policy-missing' })
  await thread.close()
  const late = thread.do('ask', { sql: 'SELECT COUNT(*) FROM people', free: true })
  await expect(late).rejects.toMatchObject({ code: 'interrupted' })
})
