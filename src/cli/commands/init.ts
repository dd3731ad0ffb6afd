import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { ReticentError, stopIfAborted } from '../../schema/index.ts'
import { draftPolicy } from '../../trusted/engine/inspect/index.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'

/**
 * For the owner: drafts a policy from the data. What it found there is marked "# review", since a domain that comes from the
 * data tells about them; nothing can be asked until the marks are gone. It never replaces a file.
 *
 *     reticent init people.csv --policy people.yaml
 */
export async function init(data: string, { policy }: GlobalOptions, out: Output, signal?: AbortSignal): Promise<void> {
  if (existsSync(policy)) {
    throw new ReticentError(
      'usage',
      { policy },
      {
        message: `${policy} exists already and was not replaced`,
        hint: 'Give another name with --policy FILE, or move it away.',
      },
    )
  }
  const path = resolve(data)
  const text = await draftPolicy({ kind: 'duckdb', path }, relative(dirname(resolve(policy)), path))
  stopIfAborted(signal, `${policy} was not written.`)
  write(policy, text)
  const marks = text.split('\n').filter((line) => line.includes('# review')).length
  await out.result(
    { policy, reviewMarks: marks },
    `${policy} is drafted from the data; ${marks} lines are marked "# review".
Replace each by what is publicly known, remove the mark, then run: reticent check${policy === 'reticent.yaml' ? '' : ` --policy ${policy}`}`,
  )
}

function write(policy: string, text: string): void {
  try {
    writeFileSync(policy, text, { flag: 'wx' })
  } catch (error) {
    // Somebody else's file stays; half of ours does not.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) rmSync(policy, { force: true })
    throw new ReticentError(
      'usage',
      { policy },
      { message: `${policy} cannot be written`, hint: 'Does the folder exist, and may you write there?' },
    )
  }
}
