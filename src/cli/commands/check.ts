import { checkGuards, checkLedger, type Verdict, verifyLedger } from '../../index.ts'
import {
  collecting,
  loadPolicy,
  type Policy,
  problem,
  promiseText,
  ReticentError,
  stopIfAborted,
} from '../../schema/index.ts'
import { type AttributeReport, inspectAgainst, type PolicyReport } from '../../trusted/engine/inspect/index.ts'
import { counted, number, table } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { withPolicy } from '../same-policy.ts'
import { warningsOf } from '../text/check-warnings.ts'
import { sourceChanges } from './source-changes.ts'
import { sourceProblems } from './source-problems.ts'

/**
 * For the owner, before anybody asks: what the policy promises in plain words, how well the source fits it, and whether the
 * ledger belongs to both. Its numbers are exact and private. All problems are listed at once; the status is 1 if there are any.
 *
 *     reticent check --policy people.yaml
 */
export async function check({ policy: file }: GlobalOptions, out: Output, signal?: AbortSignal): Promise<number> {
  const policy = await loadPolicy(file)
  const problems: ReticentError[] = []
  if (policy.reviewLines.length > 0) problems.push(reviewNeeded(policy))
  await collecting(problems, () => checkGuards(file))
  const report = await collecting(problems, () => inspectAgainst(policy, signal))
  stopIfAborted(signal, 'The check is not complete.')
  if (report) problems.push(...sourceProblems(report))
  const ledger = problems.length === 0 ? await collecting(problems, () => ledgerState(file, signal)) : undefined
  stopIfAborted(signal, 'The check is not complete.')

  const ok = problems.length === 0
  const warnings = report?.readable ? warningsOf(report, policy) : []
  const changes = report?.changes || sourceChanges(policy.source)
  const value = {
    ok,
    problems: problems.map(({ code, message, detail, hint }) => ({ code, message, detail, hint })),
    warnings,
    promise: promiseText(policy),
    changes,
    ...(report?.readable ? { rows: report.rows, beyondUnit: report.beyondUnit, attributes: report.attributes } : {}),
    ledger: ledger ?? null,
  }
  const parts = [
    promiseText(policy),
    report?.readable ? sourceText(report) : '',
    report?.readable ? changes : '',
    ...problems.map(problemText),
    ...warnings.map(({ message, hint }) => `WARNING: ${message}\nhint: ${hint}`),
    ledgerText(ok, ledger, warnings.length, policy),
  ]
  const named = file === 'reticent.yaml' ? undefined : file
  await out.result(value, withPolicy(parts.filter(Boolean).join('\n\n'), named))
  return ok ? 0 : 1
}

/**
 * Throws the first problem with the source, on which `ledger create` and `ledger epoch` must not build. Tells the owner
 * how many values are changed by encoding.
 */
export async function refuseUnreadable(policyFile: string, out: Output, signal?: AbortSignal): Promise<void> {
  const policy = await loadPolicy(policyFile)
  const report = await inspectAgainst(policy, signal)
  const [problem] = sourceProblems(report)
  if (problem) throw problem
  for (const { message } of warningsOf(report, policy)) await out.note(`warning: ${message}; see reticent check`)
}

type LedgerState = 'missing' | Verdict

async function ledgerState(file: string, signal?: AbortSignal): Promise<LedgerState> {
  try {
    await checkLedger(file, signal)
    return await verifyLedger(file)
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'ledger-missing') return 'missing'
    throw error
  }
}

const reviewNeeded = (policy: Policy) =>
  problem(
    'review-needed',
    `lines ${policy.reviewLines.join(', ')} of the policy are still marked "# review"`,
    'They were guessed from the data. Replace each by a publicly known value, and remove the mark.',
  )

function sourceText({ rows, beyondUnit, attributes }: PolicyReport): string {
  const row = (a: AttributeReport) => [
    a.name,
    number(a.nulls),
    number(a.unparsable),
    number(a.unlisted),
    number(a.clamped),
    number(a.moved),
    advice(a),
  ]
  const header = ['attribute', 'NULL', 'unparsable', 'unlisted', 'clamped', 'off the grid', '']
  const lines = table(
    header,
    attributes.map(row),
    header.map((title, i) => i > 0 && title !== ''),
  )
  const beyond =
    beyondUnit > 0 ? `, of which ${counted(beyondUnit, 'row')} exceed the limit per person and are not counted` : ''
  return `The source has ${counted(rows, 'row')}${beyond}. These numbers are exact and private: for the owner only.\n${[...lines].join('\n')}`
}

/** How a closed attribute treats missing and unlisted values. */
const advice = (a: AttributeReport): string =>
  a.closed && a.nulls + a.unparsable + a.unlisted > 0 ? 'closed: these count as the first value' : ''

const problemText = ({ message, detail, hint }: ReticentError): string =>
  [`PROBLEM: ${message}`, detail, hint && `hint: ${hint}`].filter(Boolean).join('\n')

function ledgerText(ok: boolean, ledger: LedgerState | undefined, warnings: number, policy: Policy): string {
  if (!ok || !ledger) return 'Not in order.'
  const order = warnings > 0 ? `in order but for ${counted(warnings, 'warning')}` : 'in order'
  if (ledger === 'missing')
    return `Policy and source are ${order}. There is no ledger yet; create it with \`reticent ledger create${policy.ledger.kind === 'postgres' ? ' --owner env:NAME' : ''}\`.`
  return `${order[0]!.toUpperCase()}${order.slice(1)}. The ledger has ${counted(ledger.rows, 'row')}; no record has paid more than ε ${number(ledger.bound)} of ${number(ledger.cap)}.`
}
