import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReticentError } from '../../schema/index.ts'
import { jsonLog, type RunningServer, serve } from '../../server/index.ts'
import { openBrowser } from '../browser.ts'
import type { Output } from '../output.ts'
import { pageFolder, until } from './serve.ts'

/** Serves the demo's page until it is interrupted. Its log goes to a file. */
export async function serveDemo(policy: string, dir: string, out: Output, signal: AbortSignal): Promise<void> {
  const log = jsonLog((line) => appendFileSync(join(dir, 'server.log'), line))
  const start = (port: number): Promise<RunningServer> => serve({ policies: [policy], port, page: pageFolder(), log })
  const server = await start(8080).catch((error) => {
    // Something else is there already, most likely.
    if (error instanceof ReticentError && error.code === 'usage') return start(0)
    throw error
  })
  await out.note(`\nOr look at it in a browser: ${server.url}\n(ctrl-C ends this)`)
  openBrowser(server.url)
  await until(signal)
  await server.close()
}
