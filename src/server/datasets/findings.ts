import { checkGuards, checkLedger, verifyLedger } from '../../index.ts'
import { collecting, loadPolicy, promiseText, type ReticentError } from '../../schema/index.ts'
import type { CheckResponse } from '../api/index.ts'

/**
 * What the owner should know, as far as it may leave the machine: whether policy, source and ledger belong together. The exact numbers of
 * `reticent check` stay on the owner's terminal.
 */
export async function findingsOf(policyFile: string): Promise<CheckResponse> {
  const policy = await loadPolicy(policyFile)
  const problems: ReticentError[] = []
  await collecting(problems, () => checkGuards(policyFile))
  await collecting(problems, () => checkLedger(policyFile))
  const ledger = await collecting(problems, () => verifyLedger(policyFile))
  return {
    ok: problems.length === 0 && ledger?.ok === true,
    problems: problems.map(({ code, message }) => ({ code, message: withoutPaths(message) })),
    promise: promiseText(policy),
    ledger: ledger ?? null,
  }
}

/** Where files are is nobody's business but the machine's. */
const withoutPaths = (message: string): string => message.replaceAll(/(?:[a-z]+:\/)?\/[^\s"']+/gi, '…')
