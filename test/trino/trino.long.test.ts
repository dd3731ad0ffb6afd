import { describe, test } from 'vitest'
import { engineContract } from '../contract/engine.ts'
import { notRun } from '../support/servers/run.ts'
import { trinoCluster } from '../support/servers/trino.ts'
import { access } from './access.ts'
import { faults } from './faults.ts'
import { questions } from './questions.ts'
import { sources } from './sources.ts'
import { through } from './tables.ts'

// One file, since the servers take half a minute to start and the last tests kill them.
const cluster = await trinoCluster().catch((error: Error) => error)

if (cluster instanceof Error) {
  notRun('Trino', cluster.message)
  describe('Trino', () => {
    test.skip(cluster.message, () => {})
  })
} else {
  for (const catalog of ['memory', 'lake']) await cluster.run(`CREATE SCHEMA IF NOT EXISTS ${catalog}.contract`)
  describe('over Trino', () => {
    questions(cluster)
    sources(cluster)
    access(cluster)
  })
  const slow = 'a statement takes a tenth of a second'
  engineContract('Trino over memory', through(cluster, 'memory'), { slow })
  engineContract('Trino over Iceberg', through(cluster, 'lake'), { slow })
  describe('Trino', () => faults(cluster))
}
