// Builds dist/ when a source is newer than the last build: a few bundled files, since a program that is read from three
// hundred starts noticeably later, and the types beside them. The new dist/ takes the old one's place in one move, so
// that a command that starts meanwhile finds a whole one.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
const filesOf = (folder) => readdirSync(join(root, folder), { recursive: true }).map((f) => join(root, folder, f))
const inputs = [
  ...filesOf('src'),
  ...filesOf('web'),
  join(root, 'package.json'),
  join(root, 'tsconfig.build.json'),
  fileURLToPath(import.meta.url),
]
const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0

if (inputs.some((file) => statSync(file).mtimeMs > builtAt)) {
  const begun = new Date()
  const fresh = join(root, `dist.${process.pid}`)
  try {
    types(fresh)
    await bundle(fresh)
    await page(fresh)
    writeFileSync(join(fresh, '.built'), begun.toISOString())
    rmSync(dist, { recursive: true, force: true })
    renameSync(fresh, dist)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** `--checked`: the sources were checked just now, so that only declarations are written. */
function types(to) {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const checked = process.argv.includes('--checked') ? ['--noCheck'] : []
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', to, ...checked], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('the sources do not compile')
}

async function bundle(to) {
  const { rolldown } = await import('rolldown')
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const outside = Object.keys(dependencies)
  const build = await rolldown({
    input: {
      index: join(root, 'src/index.ts'),
      'client/index': join(root, 'src/client/index.ts'),
      'server/thread': join(root, 'src/server/threads/thread.ts'),
      'cli/main': join(root, 'src/cli/main.ts'),
    },
    external: (id) => id.startsWith('node:') || outside.some((name) => id === name || id.startsWith(`${name}/`)),
    platform: 'node',
  })
  // As deep as cli/, so that package.json is at the same distance from all of them.
  await build.write({ dir: to, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' })
  await build.close()
}

/** What the server hands to browsers. */
async function page(to) {
  const { build, mergeConfig } = await import('vite')
  const { default: config } = await import('../web/vite.config.ts')
  await build(mergeConfig(config, { configFile: false, build: { outDir: join(to, 'web') } }))
}
