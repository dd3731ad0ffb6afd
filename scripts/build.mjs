// Compiles src/ into dist/ when a source is newer than the last build. The new dist/ takes the old one's place in one
// move, so that a command that starts meanwhile finds a whole one.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
const inputs = [
  ...readdirSync(join(root, 'src'), { recursive: true }).map((f) => join(root, 'src', f)),
  join(root, 'package.json'),
  join(root, 'tsconfig.build.json'),
]
const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0

if (inputs.some((file) => statSync(file).mtimeMs > builtAt)) {
  const begun = new Date()
  const fresh = join(root, `dist.${process.pid}`)
  const tsc = spawnSync(
    process.execPath,
    [join(root, 'node_modules', '.bin', 'tsc'), '-p', 'tsconfig.build.json', '--outDir', fresh],
    { cwd: root, stdio: ['ignore', 2, 2] },
  )
  if (tsc.status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    process.exit(tsc.status ?? 1)
  }
  writeFileSync(join(fresh, '.built'), begun.toISOString())
  rmSync(dist, { recursive: true, force: true })
  renameSync(fresh, dist)
}
