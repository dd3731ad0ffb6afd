// A process of its own that moves a ledger, and tells how that went. usage: node moving-process.ts FROM TO, both places as JSON
import { moveLedger } from '../../src/trusted/ledger/index.ts'

const [from, to] = process.argv.slice(2).map((place) => JSON.parse(place))
await moveLedger(from, to, { check: () => {} }).then(
  () => process.stdout.write('moved\n'),
  (error) => process.stdout.write(`${(error as { code: string }).code}\n`),
)
