// Compiles src/ into dist/ when a source is newer than the last build.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'dist', '.built')
const inputs = [
  ...readdirSync(join(root, 'src'), { recursive: true }).map((f) => join(root, 'src', f)),
  join(root, 'package.json'),
  join(root, 'tsconfig.build.json'),
]
const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0
if (inputs.some((file) => statSync(file).mtimeMs > builtAt)) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const tsc = spawnSync(process.execPath, [join(root, 'node_modules', '.bin', 'tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (tsc.status !== 0) process.exit(tsc.status ?? 1)
  writeFileSync(stamp, '')
}
