import { writeFileSync } from 'node:fs'
import {
  audit as auditOne,
  auditPage,
  errorRate,
  type Finding,
  mechanismNamed,
  mechanisms,
  verdictWord,
} from '../../evaluation/index.ts'
import { problem, ReticentError } from '../../schema/index.ts'
import { number, table } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'

interface AuditFlags extends Pick<GlobalOptions, 'json'> {
  all: boolean
  samples: string
  seconds: string
  html?: string
}

/** Fewer runs than this prove nothing about any mechanism here. */
const leastSamples = 1000

/**
 * Runs mechanisms many times on neighbouring inputs and computes a lower bound on the ε that their outputs reveal.
 * Returns 0 only when every shipped mechanism keeps its claim and every broken control is caught.
 *
 *     reticent audit laplace refinement --samples 1e6 --html audit.html
 */
export async function audit(names: readonly string[], flags: AuditFlags, out: Output): Promise<number> {
  const samples = positive('--samples', flags.samples, leastSamples)
  const seconds = positive('--seconds', flags.seconds, 0)
  if (flags.all === names.length > 0) {
    const message = flags.all ? 'give names or --all, not both' : 'say which mechanisms to audit, or --all'
    throw problem('usage', message, `There are ${mechanisms.map((m) => m.name).join(', ')}.`)
  }
  const chosen = flags.all ? mechanisms : [...new Set(names)].map(mechanismNamed)
  // Find out before the work, not after it, whether the page can be written.
  if (flags.html !== undefined) writePage(flags.html, '')
  const findings: Finding[] = []
  const start = performance.now()
  for (const [i, mechanism] of chosen.entries()) {
    // Time that earlier ones did not use is available to later ones.
    const left = seconds - (performance.now() - start) / 1000
    const share = Math.max(0.05 * seconds, left) / (chosen.length - i)
    const progress = progressLine(`${i + 1}/${chosen.length} ${mechanism.name}`)
    findings.push(await auditOne(mechanism, { samples, seconds: share, progress }))
  }
  if (flags.html !== undefined) writePage(flags.html, auditPage(findings))
  const ok = findings.every((f) => f.expected)
  await out.result({ ok, errorRate, mechanisms: findings.map(({ losses, ...rest }) => rest) }, findingsText(findings))
  return ok ? 0 : 1
}

function positive(flag: string, text: string, least: number): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value > 0 && value >= least) return value
  const wanted = least > 0 ? `a number of at least ${least}` : 'a number above 0'
  throw problem('usage', `${flag} must be ${wanted}, not ${JSON.stringify(text)}`, undefined, { flag })
}

/** On a terminal one line that changes; else a line per mechanism. */
function progressLine(what: string): (done: number) => void {
  const stderr = process.stderr
  if (!stderr.isTTY) return (done) => done === 1 && stderr.write(`${what}\n`)
  return (done) => stderr.write(done === 1 ? '\r\x1b[K' : `\r\x1b[K${what} ${Math.round(100 * done)}%`)
}

function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page)
  } catch (error) {
    const detail = error instanceof Error ? error.message : undefined
    throw new ReticentError('usage', { file }, { message: `cannot write ${file}`, ...(detail ? { detail } : {}) })
  }
}

function findingsText(findings: readonly Finding[]): Iterable<string> {
  const rows = findings.map((f) => [
    f.name,
    f.kind,
    `${short(f.claim.epsilon)}${f.claim.delta > 0 ? ` (δ ${f.claim.delta})` : ''}`,
    short(f.bound.epsilon),
    f.exact === undefined ? '' : short(f.exact),
    number(f.samples),
    verdictWord(f),
  ])
  const header = ['mechanism', 'kind', 'claimed ε', 'lower bound', 'computed', 'runs', 'verdict']
  const wrong = findings.filter((f) => !f.expected).length
  const last = wrong === 0 ? 'all as expected' : `${wrong} not as expected`
  return [
    ...table(header, rows, [false, false, true, true, true, true, false]),
    `${findings.length} audited, ${last}; each lower bound is above the true ε with probability at most ${errorRate}`,
  ]
}

const short = (value: number): string => (value === Number.POSITIVE_INFINITY ? '∞' : value.toFixed(3))
