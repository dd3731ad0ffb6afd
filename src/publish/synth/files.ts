import { rename, rm } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { usage } from '../../schema/index.ts'
import { exists, openDraft, refused } from '../draft.ts'

export type SynthFormat = 'csv' | 'parquet' | 'duckdb'

/** A synthetic table's file and those beside it: they appear together or not at all. */
export interface SynthFiles {
  /** Where the table will be. */
  readonly path: string
  readonly format: SynthFormat
  /** The names, without their folder. */
  readonly names: { readonly [K in Part]: string }
  /** Where to write a file until then. */
  file(part: Part): string
  finish(): Promise<void>
  discard(): Promise<void>
}
type Part = 'table' | 'model' | 'summary' | 'report'

const isFormat = (text: string): text is SynthFormat => ['csv', 'parquet', 'duckdb'].includes(text)

/**
 * The extension decides the format. Refuses files that already exist, cannot be written, or are being written by
 * another process. Call it before anything is paid for.
 */
export async function openSynthFiles(path: string): Promise<SynthFiles> {
  const final = resolve(path)
  const format = extname(final).slice(1).toLowerCase()
  if (!isFormat(format))
    throw usage(
      `the format of ${path} cannot be told from its extension`,
      'Name a file that ends in .csv, .parquet or .duckdb: --out people.csv.',
    )
  const stem = final.slice(0, -extname(final).length)
  // The table comes last: where it is, everything is.
  const finals = {
    model: `${stem}.model.json`,
    summary: `${stem}.synth.json`,
    report: `${stem}.report.html`,
    table: final,
  }
  await refuseExisting(Object.values(finals))
  const draft = await openDraft(final, path, 'file')
  const names = mapped(finals, (file) => basename(file))
  return {
    path: final,
    format,
    names,
    file: (part) => draft.file(names[part]),
    finish: async () => {
      await refuseExisting(Object.values(finals))
      await moveAll(Object.entries(finals).map(([part, to]) => [draft.file(names[part as Part]), to]))
      await draft.discard()
    },
    discard: draft.discard,
  }
}

async function refuseExisting(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if (await exists(path)) throw refused(path, `${path} exists already`, 'Name a file that does not, or move it away.')
}

/** All or, where one of them cannot be moved, none. */
async function moveAll(moves: readonly (readonly [from: string, to: string])[]): Promise<void> {
  const done: string[] = []
  try {
    for (const [from, to] of moves) {
      await rename(from, to)
      done.push(to)
    }
  } catch (error) {
    for (const path of done) await rm(path, { force: true })
    throw error
  }
}

const mapped = <K extends string>(record: { readonly [key in K]: string }, change: (text: string) => string) =>
  Object.fromEntries(Object.entries<string>(record).map(([key, text]) => [key, change(text)])) as Record<K, string>
