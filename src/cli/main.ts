#!/usr/bin/env node
import { tooOld } from '../node-version.ts'

const problem = tooOld()
if (problem === undefined) {
  const { start } = await import('./start.ts')
  await start()
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
