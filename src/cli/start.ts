import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * Compiled code is kept between runs, which halves the time to the first line of output. And the SQL parser, WebAssembly of
 * which a command uses little, is not optimised: that would go on for half a second after the answer, with 500 MB. A server
 * uses it for as long as it runs.
 */
export async function start(): Promise<void> {
  enableCompileCache()
  const isServer = ['serve', 'demo'].includes(process.argv[2] ?? '')
  if (!isServer) setFlagsFromString('--wasm-tiering-budget=100000000')
  const { run } = await import('./program.ts')
  process.exitCode = await run(process.argv)
}
