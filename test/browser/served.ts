import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** A server that runs as people run it, on a port that the system gives. */
export class Served {
  readonly url: string
  readonly #process: ChildProcess

  private constructor(url: string, process: ChildProcess) {
    this.url = url
    this.#process = process
  }

  static async start(policy: string): Promise<Served> {
    const args = ['serve', '--policy', policy, '--port', '0', '--rate', '0', '--json']
    // In a test, which says so in the environment, its noise is the same on every run.
    const noise = pathToFileURL(resolve('test/support/repeatable-noise.mjs')).href
    const server = spawn(process.execPath, ['--import', noise, resolve('dist/cli/main.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    server.stderr.on('data', (chunk) => {
      said += chunk
    })
    for await (const line of createInterface(server.stdout)) return new Served(JSON.parse(line).url, server)
    throw new Error(`the server did not start: ${said}`)
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    this.#process.kill('SIGTERM')
    await once(this.#process, 'exit')
  }
}
