import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { TrinoClient } from '../../../src/trusted/engine/trino/client.ts'
import { connectionTo } from '../../../src/trusted/engine/trino/connection.ts'
import { sharedServer } from './run.ts'
import { pluginFolder, secureAccess } from './trino-access.ts'
import { type TrinoFiles, trinoFiles } from './trino-files.ts'

/** One process of Trino's. */
interface TrinoNode {
  readonly pid: number
  readonly folder: string
  readonly port: number
  /** Where a coordinator asks for a password or a token, over TLS. */
  readonly securePort: number
}

/** A coordinator and a worker on this machine, with the catalogs `memory`, `lake` (Iceberg in a folder) and `tpch`. */
export interface TrinoCluster {
  readonly url: string
  readonly coordinator: TrinoNode
  readonly worker: TrinoNode
  /** Runs a statement, as somebody who may do anything. */
  run(sql: string): Promise<unknown[][]>
}

/** The cluster of this run of the tests, ready; rejects with the reason where there cannot be one. */
export async function trinoCluster(): Promise<TrinoCluster> {
  const files = trinoFiles()
  const coordinator = await sharedServer('trino', () => start(files, 'c'))
  const worker = await sharedServer('trino-worker', () => start(files, 'w1', coordinator))
  const url = `http://tests@127.0.0.1:${coordinator.port}`
  const run = runnerOf(url)
  await ready(run, [coordinator, worker])
  return { url, coordinator, worker, run }
}

function runnerOf(url: string): TrinoCluster['run'] {
  const source = { kind: 'trino', url, catalog: 'memory', schema: 'default' } as const
  const client = new TrinoClient(connectionTo(source), { total: 0, first: 1 })
  return async (sql) => {
    const rows: unknown[][] = []
    await client.run(sql, ({ data = [] }) => void rows.push(...data.map((row) => [...row])))
    return rows
  }
}

async function start(files: TrinoFiles, id: string, coordinator?: TrinoNode): Promise<TrinoNode> {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-trino-'))
  const [port, securePort] = [await freePort(), await freePort()]
  const lake = join(coordinator?.folder ?? folder, 'lake')
  mkdirSync(join(folder, 'etc', 'catalog'), { recursive: true })
  mkdirSync(lake, { recursive: true })
  const settings = {
    'node.properties': [
      'node.environment=test',
      `node.id=${id}`,
      `node.data-dir=${folder}/data`,
      'node.internal-address=127.0.0.1',
      `plugin.dir=${pluginFolder(files, folder)}`,
    ],
    'jvm.config': jvm,
    'config.properties': [
      `coordinator=${!coordinator}`,
      ...(coordinator ? [] : ['node-scheduler.include-coordinator=true', ...secureAccess(folder, securePort)]),
      'internal-communication.shared-secret=of-the-tests',
      `http-server.http.port=${port}`,
      `discovery.uri=http://127.0.0.1:${coordinator?.port ?? port}`,
      ...limits,
    ],
    'log.properties': ['io.trino=WARN', 'io.airlift=WARN', 'Bootstrap=WARN'],
    'catalog/memory.properties': ['connector.name=memory', 'memory.max-data-per-node=256MB'],
    'catalog/tpch.properties': ['connector.name=tpch', 'tpch.column-naming=STANDARD'],
    'catalog/lake.properties': [
      'connector.name=iceberg',
      'iceberg.catalog.type=TESTING_FILE_METASTORE',
      'hive.metastore.catalog.dir=local:///hms',
      'fs.native-local.enabled=true',
      `local.location=${lake}`,
    ],
  }
  for (const [name, lines] of Object.entries(settings))
    writeFileSync(join(folder, 'etc', name), lines.map((line) => `${line}\n`).join(''))
  const log = openSync(join(folder, 'log'), 'w')
  const args = ['run', '-jvm-dir', files.java, '-etc-dir', join(folder, 'etc'), '-data-dir', join(folder, 'data')]
  // The launcher becomes the server, so its pid is the server's.
  const child = spawn(join(files.home, 'bin', 'launcher'), args, { stdio: ['ignore', log, log], detached: true })
  child.unref()
  return { pid: child.pid!, folder, port, securePort }
}

/** Small and quick to start. */
const jvm = [
  '-server',
  '-Xmx1G',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:+ExitOnOutOfMemoryError',
  '-Djdk.attach.allowAttachSelf=true',
  '-XX:+EnableDynamicAgentLoading',
  '--enable-native-access=ALL-UNNAMED',
  '--sun-misc-unsafe-memory-access=allow',
]

/** A node that is gone is missed after seconds, not after a minute. */
const limits = [
  'query.max-memory=600MB',
  'query.max-memory-per-node=400MB',
  'memory.heap-headroom-per-node=300MB',
  'exchange.max-error-duration=5s',
  'query.remote-task.max-error-duration=5s',
  'task.client.timeout=15s',
]

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? address!.port : 0
}

const isRunning = ({ pid }: TrinoNode) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** It refuses calls, then it lets them hang, then it says that it is starting: half a minute in all. */
async function ready(run: TrinoCluster['run'], nodes: readonly TrinoNode[]): Promise<void> {
  const until = Date.now() + 180_000
  for (;;) {
    const dead = nodes.find((node) => !isRunning(node))
    if (dead) throw new Error(`a Trino server did not start; see ${dead.folder}/log`)
    const active = run("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'").catch(() => [])
    const [row] = await Promise.race([active, setTimeout(10_000, [] as unknown[][])])
    if (row?.[0] === nodes.length) return
    if (Date.now() > until) throw new Error('the Trino servers were not ready after three minutes')
    await setTimeout(500)
  }
}
