import { open } from '../../index.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { budgetText } from '../text/budget.ts'

/**
 * What is spent and what is left, for the dataset and for each analyst. The data are not opened.
 *
 *     reticent budget
 */
export async function budget(flags: GlobalOptions, out: Output): Promise<void> {
  const data = await open(flags.policy)
  try {
    const value = await data.budget()
    await out.result(value, budgetText(value))
  } finally {
    await data.close()
  }
}
