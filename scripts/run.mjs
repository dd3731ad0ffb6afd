// Runs a task of package.json on the Node that the project brings along, whatever Node the machine has.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const node = existsSync(own) ? own : process.execPath
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }

const run = (...args) => {
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
const tool = (name, ...args) => run(join(bin, name), ...args)

const [task, ...rest] = process.argv.slice(2)
const tasks = {
  build: () => run('scripts/build.mjs'),
  start: () => {
    tasks.build()
    run('dist/cli/main.js', 'demo', ...rest)
  },
  lint: () => {
    run('scripts/arrows.mjs')
    tool('tsc', '--noEmit')
    tool('tsc', '--noEmit', '-p', 'web')
    tool('biome', 'check', '.')
  },
  test: () => {
    if (rest.length === 0) {
      tasks.lint()
      run('scripts/build.mjs', '--checked')
    } else tasks.build()
    tool('vitest', 'run', ...rest)
  },
  'test:long': () => {
    tasks.build()
    env.LONG = '1'
    tool('vitest', 'run', ...rest)
  },
  measure: () => run('scripts/measure.mjs', ...rest),
  bench: () => {
    tasks.build()
    const names = readdirSync(join(root, 'bench')).filter((f) => f.endsWith('.bench.ts'))
    for (const file of names)
      if (rest.length === 0 || rest.some((r) => file.startsWith(r))) run('--expose-gc', `bench/${file}`)
  },
}
if (!tasks[task]) {
  process.stderr.write(`unknown task ${task}; one of ${Object.keys(tasks).join(', ')}\n`)
  process.exit(2)
}
tasks[task]()
