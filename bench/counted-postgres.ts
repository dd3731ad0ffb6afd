import { readFileSync } from 'node:fs'
import pg from 'pg'

/** Bytes that all connections of this process to PostgreSQL have read, those opened after this call. */
export function countBytes(): () => number {
  const connections = new Set<{ stream: { bytesRead: number } }>()
  const connect = pg.Client.prototype.connect
  pg.Client.prototype.connect = function (
    this: pg.Client & { connection: { stream: { bytesRead: number } } },
    ...args
  ) {
    connections.add(this.connection)
    return connect.apply(this, args as never)
  } as typeof connect
  return () => [...connections].reduce((sum, c) => sum + c.stream.bytesRead, 0)
}

/**
 * Seconds of processor time of a server and all its processes, parallel workers among them, as Linux counts it: 100 ticks a second.
 * Those that have ended are the server's children's.
 */
export function processorSeconds(pid: number): number {
  const ticks = (of: number | string, fields: number) => {
    try {
      const stat = readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return stat.slice(11, 11 + fields).reduce((sum, field) => sum + Number(field), 0)
    } catch {
      return 0 // has just ended
    }
  }
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return (ticks(pid, 4) + children.reduce((sum, child) => sum + ticks(child, 2), 0)) / 100
}
