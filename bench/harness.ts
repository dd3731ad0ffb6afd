// What every bench shares: how time and memory are taken, and how figures are printed beside their bars.
// Run by `npm run bench [name]`: each *.bench.ts by itself, on Node with --expose-gc.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

type Run<T> = () => T | Promise<T>

/** The last results of what was timed: as long as they are held here, no compiler may skip the work. */
const kept: unknown[] = []

async function timed<T>(run: Run<T>): Promise<{ milliseconds: number; value: T }> {
  globalThis.gc?.()
  const start = performance.now()
  const value = await run()
  const milliseconds = performance.now() - start
  kept[0] = value
  return { milliseconds, value }
}

/** The shortest of so many runs, after one that warms up. Noise only ever adds time, so the shortest tells most. */
export async function best<T>(run: Run<T>, times = 5): Promise<{ milliseconds: number; value: T }> {
  await timed(run)
  let least = await timed(run)
  for (let i = 1; i < times; i++) {
    const next = await timed(run)
    if (next.milliseconds < least.milliseconds) least = next
  }
  return least
}

/** Median of a list of numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Compares two ways in turns, so that a slow spell of the machine hits both: medians in milliseconds, and the first's
 * over the second's. Every second round goes the other way about, so that neither always follows the other.
 */
export async function interleaved<A extends string>(
  runs: { readonly [K in A]: Run<unknown> },
  rounds = 15,
): Promise<{ medians: { [K in A]: number }; ratio: number }> {
  const names = Object.keys(runs) as A[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (const name of names) await timed(runs[name])
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      times.get(name)!.push((await timed(runs[name])).milliseconds)
  }
  const medians = Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as { [K in A]: number }
  return { medians, ratio: medians[names[0]!] / medians[names[1]!] }
}

/** Fixed work, integer and floating-point: its time says how fast this machine was while the figures were taken. */
function calibrationLoop(): number {
  let state = 1
  let sum = 0
  for (let i = 0; i < 36_000_000; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    sum += Math.sqrt(state >>> 0)
  }
  return sum
}

/** Milliseconds of the fixed loop, best of 5: about 100 on the machine that the bars were set on. */
export const calibration = async (): Promise<number> => (await best(calibrationLoop)).milliseconds

/**
 * Runs a script in a process of its own and tells the most memory it ever held, and what it printed. The kernel's
 * high-water mark of the process image is read, since getrusage's starts from the size of whoever forked it.
 */
export function peakMemory(script: string, ...args: string[]): { megabytes: number; output: string } {
  const tell = `import { readFileSync, writeSync } from 'node:fs'
    process.on('exit', () => {
      let kilobytes = process.resourceUsage().maxRSS
      try { kilobytes = Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) } catch {}
      writeSync(3, String(kilobytes))
    })`
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(tell)}`, script, ...args],
    { stdio: ['ignore', 'pipe', 'inherit', 'pipe'], encoding: 'utf8', maxBuffer: 2 ** 28 },
  )
  if (child.status !== 0) throw new Error(`${script} failed with ${child.status ?? child.signal}`)
  return { megabytes: Number(child.output[3]) / 1024, output: child.stdout }
}

/** One number of a bench, and what it should be. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly atMost?: number
  readonly atLeast?: number
}

const text = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

function row({ what, value, unit, atMost, atLeast }: Figure): string[] {
  const bar = atMost !== undefined ? `≤ ${text(atMost)}` : atLeast !== undefined ? `≥ ${text(atLeast)}` : ''
  const kept = value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? Number.NEGATIVE_INFINITY)
  return [what, text(value), unit, bar, bar === '' ? '' : kept ? 'PASS' : 'MISS']
}

/**
 * Prints the figures beside their bars and the calibration loop's time. A missed bar prints MISS and does not fail the
 * process, since machines are noisy; a wrong result does: see `check`.
 */
export async function report(title: string, figures: readonly Figure[]): Promise<void> {
  const rows = figures.map(row)
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  const line = ([what, value, unit, bar, verdict]: string[]) =>
    `  ${what!.padEnd(widths[0]!)}  ${value!.padStart(widths[1]!)} ${unit!.padEnd(widths[2]!)}  ${bar!.padEnd(widths[3]!)}  ${verdict}`
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`
  const lines = [`${title}  (calibration loop ${text(await calibration())} ms; ${machine})`, ...rows.map(line)]
  process.stdout.write(`${lines.map((l) => l.trimEnd()).join('\n')}\n`)
}

/** A bench that computes the wrong thing fast has failed: says what is wrong and makes the process exit 1. */
export function check(right: boolean, what: string): void {
  if (right) return
  process.stdout.write(`  WRONG: ${what}\n`)
  process.exitCode = 1
}
