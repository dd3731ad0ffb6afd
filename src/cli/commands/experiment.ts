import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chart, experimentNamed, experiments, type Outcome } from '../../evaluation/index.ts'
import { problem, ReticentError } from '../../schema/index.ts'
import { table } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'

interface RunFlags extends Pick<GlobalOptions, 'json'> {
  quick: boolean
  out?: string
  seed: string
}

/**
 * The experiments of the papers and of our own that can be run again.
 *
 *     reticent experiment list
 */
export async function list(_: object, out: Output): Promise<void> {
  const rows = experiments.map(({ name, about }) => ({ name, about }))
  await out.result(
    { experiments: rows },
    table(
      ['experiment', 'about'],
      rows.map(({ name, about }) => [name, about]),
    ),
  )
}

/**
 * Runs one on made-up data: its table to stdout and, with --out, NAME.svg and NAME.json into the folder.
 *
 *     reticent experiment run coverage --out results --seed 7
 */
export async function run(name: string, flags: RunFlags, out: Output): Promise<void> {
  const seed = Number(flags.seed)
  if (flags.seed.trim() === '' || !Number.isSafeInteger(seed) || seed < 0) {
    const message = `--seed must be a whole number of at least 0, not ${JSON.stringify(flags.seed)}`
    throw problem('usage', message, undefined, { flag: '--seed' })
  }
  const experiment = experimentNamed(name)
  // Find out before the work, not after it, whether the folder can be written.
  const write = flags.out === undefined ? undefined : prepare(flags.out, name)
  const outcome = await experiment.run({
    quick: flags.quick,
    seed,
    now: () => performance.now(),
    worked: () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage()),
    progress: (words) => process.stderr.write(`${words}\n`),
  })
  const { panels, ...rest } = outcome
  const result = { experiment: name, quick: flags.quick, ...rest, panels }
  write?.(result, chart(`${markOf(name)}: ${experiment.about}`, panels))
  await out.result(result, text(outcome))
}

/** Stands in the title of every picture that is made here. */
const markOf = (name: string) => `reticent experiment ${name}`

/** An existing file may be overwritten only if this experiment made it. */
function prepare(folder: string, name: string): (result: object, picture: string) => void {
  const [json, svg] = [join(folder, `${name}.json`), join(folder, `${name}.svg`)]
  const fail = (file: string, message: string, error?: unknown) => {
    const detail = error instanceof Error ? error.message : undefined
    return new ReticentError('usage', { file }, { message, ...(detail ? { detail } : {}) })
  }
  const save = (file: string, content: string) => {
    try {
      writeFileSync(file, content)
    } catch (error) {
      throw fail(file, `cannot write ${file}`, error)
    }
  }
  try {
    mkdirSync(folder, { recursive: true })
    for (const [file, mark] of [
      [json, `"experiment": "${name}"`],
      [svg, `<title>${markOf(name)}: `],
    ] as const) {
      if (existsSync(file) && !readFileSync(file, 'utf8').includes(mark))
        throw fail(file, `${file} already exists and does not come from this experiment, so it was not overwritten`)
    }
  } catch (error) {
    throw error instanceof ReticentError ? error : fail(folder, `cannot write into ${folder}`, error)
  }
  return (result, picture) => {
    save(json, `${JSON.stringify(result, null, 1)}\n`)
    save(svg, picture)
  }
}

const text = ({ header, rows, notes }: Outcome): Iterable<string> => {
  const cells = rows.map((row) => row.map((value) => (typeof value === 'number' ? digits(value) : value)))
  const right = header.map((_, i) => rows.some((row) => typeof row[i] === 'number'))
  return [...table(header, cells, right), ...notes]
}

/** Four digits are enough to read. */
function digits(value: number): string {
  if (!Number.isFinite(value)) return '-'
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e7)) return value.toExponential(2)
  return Number.isInteger(value)
    ? value.toLocaleString('en-US')
    : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumFractionDigits: 6 })
}
