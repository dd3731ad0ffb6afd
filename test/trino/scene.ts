import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createLedgerFor, type Dataset, open } from '../../src/index.ts'
import type { TrinoCluster } from '../support/servers/trino.ts'

let number = 0

/** Two columns, and so many files as there are inserts: 0 … 9 a hundred times each. */
export async function makeTable({ run }: TrinoCluster, catalog: 'memory' | 'lake', inserts = 1): Promise<string> {
  const table = `people${number++}`
  const rows = 'SELECT x % 10 AS age, CAST(x % 3 AS VARCHAR) AS size FROM UNNEST(sequence(0, 999)) AS t (x)'
  await run(`CREATE TABLE ${catalog}.contract.${table} (age BIGINT, size VARCHAR)`)
  for (let i = 0; i < inserts; i++) await run(`INSERT INTO ${catalog}.contract.${table} ${rows}`)
  return table
}

const opened: Dataset[] = []
const folders: string[] = []
/** To be called where scenes are used. */
export const closeScenes = () =>
  afterAll(async () => {
    for (const dataset of opened) await dataset.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

/** A policy about a source; what is left out is that of the tables above. */
export class Scene {
  readonly #folder = mkdtempSync(join(tmpdir(), 'reticent-trino-scene-'))
  readonly policy = join(this.#folder, 'reticent.yaml')
  readonly ledger = join(this.#folder, 'people.ledger')

  constructor(
    { url }: Pick<TrinoCluster, 'url'>,
    source: string,
    attributes = 'age: { integer: [0, 9], closed: true }',
  ) {
    folders.push(this.#folder)
    writeFileSync(
      this.policy,
      `dataset: people
source: { trino: "${url}", schema: contract, ${source} }
privacy: { unit: row, neighbours: add-remove, epsilon: 100 }
attributes:
  ${attributes}
ledger: { sqlite: people.ledger }
`,
    )
  }

  create(): Promise<string> {
    return createLedgerFor(this.policy)
  }

  async open(): Promise<Dataset> {
    const dataset = await open(this.policy)
    opened.push(dataset)
    return dataset
  }
}

export const young = 'SELECT COUNT(*) FROM people WHERE age < 5'
