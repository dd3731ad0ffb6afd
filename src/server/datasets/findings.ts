import { checkGuards, checkLedger, verifyLedger } from '../../index.ts'
import { loadPolicy, promiseText, ReticentError } from '../../schema/index.ts'
import type { CheckResponse } from '../api/index.ts'

/**
 * What the owner should know, as far as it may leave the machine: whether policy, source and ledger belong together. The exact numbers of
 * `reticent check` stay on the owner's terminal.
 */
export async function findingsOf(policyFile: string): Promise<CheckResponse> {
  const policy = await loadPolicy(policyFile)
  const problems: CheckResponse['problems'] = []
  const collect = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ReticentError)) throw error
      problems.push({ code: error.code, message: withoutPaths(error.message) })
      return undefined
    }
  }
  await collect(() => checkGuards(policyFile))
  await collect(() => checkLedger(policyFile))
  const ledger = await collect(() => verifyLedger(policyFile))
  return {
    ok: problems.length === 0 && ledger?.ok === true,
    problems,
    promise: promiseText(policy),
    ledger: ledger ?? null,
  }
}

/** Where files are is nobody's business but the machine's. */
const withoutPaths = (message: string): string => message.replaceAll(/(?:[a-z]+:\/)?\/[^\s"']+/gi, '…')
