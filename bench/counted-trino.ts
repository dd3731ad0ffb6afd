import { connect, createServer } from 'node:net'
import { trinoCluster } from '../test/support/servers/trino.ts'

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
    /** Processor time of all statements of one user, in milliseconds. */
    spentBy: async (user: string) => {
      const [row] = await cluster.run(`SELECT coalesce(sum(t.split_cpu_time_ms), 0) FROM system.runtime.tasks t
    JOIN system.runtime.queries q ON t.query_id = q.query_id WHERE q.user = '${user}'`)
      return Number(row![0])
    },
    close: () => proxy.close(),
  }
}
