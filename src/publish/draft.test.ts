import { expect, test } from 'vitest'
import { openDraft } from './draft.ts'

test.skipIf(process.platform !== 'linux')(
  'a parent that holds no folders is refused at once (Linux alone has /proc)',
  async () => {
    await expect(openDraft('/proc/reticent/table.csv', 'table.csv', 'file')).rejects.toMatchObject({
      code: 'usage',
      message: 'cannot write to /proc/reticent',
    })
  },
)
