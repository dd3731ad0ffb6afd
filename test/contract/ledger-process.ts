// A process of its own that appends to a ledger, for tests of what happens between processes and when one dies.
// usage: node ledger-process.ts PLACE MODE [N], where PLACE is the path of a file or a place as JSON
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { openLedger } from '../../src/trusted/ledger/index.ts'
import { bySex, count, reserve } from './ledger-rows.ts'

const [place, mode, n] = process.argv.slice(2) as [string, string, string | undefined]
const opening = openLedger(place.startsWith('{') ? JSON.parse(place) : { kind: 'sqlite', path: place })
if (mode === 'peek') {
  await opening.then(
    async (opened) => {
      process.stdout.write(`${(await opened.read(0)).length}\n`)
      await opened.close()
    },
    (error) => process.stdout.write(`${(error as { code: string }).code}\n`),
  )
  process.exit()
}
const ledger = await opening

/**
 * Appends n rows, each only after the head that it last read; tells how often somebody else was faster. It begins when its input ends, with the
 * head from before: of several that wait, all but one come too late.
 */
async function compete(): Promise<void> {
  let head = (await ledger.read(0)).at(-1)!
  process.stdout.write('ready\n')
  await once(process.stdin.resume(), 'end')
  let moved = 0
  for (let done = 0; done < Number(n); ) {
    if (await ledger.append({ ...reserve(count), analyst: `process ${process.pid}` }, head)) done++
    else moved++
    head = (await ledger.read(head.seq)).at(-1) ?? head
  }
  process.stdout.write(`${moved}\n`)
}

/** Appends reservations and records without end, and says when each is durable. */
async function hurry(): Promise<void> {
  for (;;) {
    const reserved = await ledger.append(reserve(bySex))
    process.stdout.write(`${reserved!.seq}\n`)
    const recorded = await ledger.append({ kind: 'record', reserve: reserved!.seq, values: [Float64Array.of(1, 2)] })
    process.stdout.write(`${recorded!.seq}\n`)
  }
}

/** Appends until it cannot, and says how that was told. It pauses in between: SQLite has no queue, and whoever never pauses keeps others out. */
async function fill(): Promise<void> {
  try {
    for (;;) {
      process.stdout.write(`${(await ledger.append(reserve(count)))!.seq}\n`)
      await setTimeout(2)
    }
  } catch (error) {
    process.stdout.write(`${(error as { code: string }).code}\n`)
  }
}

await { compete, hurry, fill }[mode as 'fill']()
await ledger.close()
