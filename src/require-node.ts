import { tooOld } from './node-version.ts'
import { ReticentError } from './schema/index.ts'

// The first import of the library: the driver of the ledger would end an older Node without a word.
const message = tooOld()
if (message !== undefined) {
  const error = new ReticentError('not-supported', { node: process.versions.node }, { message })
  // Node prints the stack of what nobody catches: the one line says it all.
  error.stack = `ReticentError: ${message}`
  throw error
}
