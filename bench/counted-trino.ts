import { connect, createServer } from 'node:net'
import { trinoCluster } from '../test/support/servers/trino.ts'

interface Statement {
  readonly session: { readonly user: string }
  readonly queryStats: { readonly totalCpuTime: string }
}

const units: { readonly [unit: string]: number } = { ns: 1e-6, us: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 }
/** Of a time as Trino writes it: `1.34m`. */
function milliseconds(text: string): number {
  const [, number, unit] = /^([\d.]+)(\w+)$/.exec(text)!
  return Number(number) * units[unit!]!
}

/** A Trino cluster behind a proxy that counts what it sends. */
export async function countedTrino() {
  const cluster = await trinoCluster()
  let received = 0
  const proxy = createServer((client) => {
    const server = connect(cluster.coordinator.port, '127.0.0.1')
    server.on('data', (piece) => {
      received += piece.length
    })
    client.pipe(server).pipe(client)
    for (const end of [client, server]) end.on('error', () => end.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  return {
    cluster,
    url: `http://bench@127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    received: () => received,
    /** Processor time of all statements of one user, in milliseconds. The server forgets tasks of long statements sooner than these. */
    spentBy: async (user: string) => {
      const headers = { 'X-Trino-User': 'tests' }
      const reply = await fetch(`http://127.0.0.1:${cluster.coordinator.port}/v1/query`, { headers })
      const statements = (await reply.json()) as readonly Statement[]
      const own = statements.filter(({ session }) => session.user === user)
      return own.reduce((sum, { queryStats }) => sum + milliseconds(queryStats.totalCpuTime), 0)
    },
    close: () => proxy.close(),
  }
}
