// Installs what is missing. Runs on any Node, before anything else, so it imports nothing but Node's own modules.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.installed-from')
const wanted = readFileSync(join(root, 'package-lock.json'), 'utf8')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  process.stderr.write('installing dependencies…\n')
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    process.stderr.write('npm ci failed: check the network and that npm is 10 or later, then try again\n')
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}
