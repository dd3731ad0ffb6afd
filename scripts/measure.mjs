// Says how long files and functions are, tests aside, and which are the longest.
// usage: node scripts/measure.mjs [FOLDER]
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { walk } from './arrows/walk.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = resolve(process.argv[2] ?? join(root, 'src'))
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const holders = new Set(['MethodDefinition', 'PropertyDefinition', 'Property', 'VariableDeclarator'])

const linesIn = (text) => text.split('\n').length - 1

/** Functions with a name: declared, methods, or the value of a name. */
function functionsOf(file, text) {
  const found = []
  walk(parseSync(file, text).program, (node, [parent]) => {
    if (!functions.has(node.type) || !(node.id || holders.has(parent.type))) return
    const name = node.id?.name ?? (parent.key ?? parent.id)?.name
    found.push({ what: `${file} ${name}`, lines: linesIn(text.slice(node.start, node.end)) + 1 })
  })
  return found
}

function report(title, list) {
  const sorted = list.toSorted((a, b) => b.lines - a.lines)
  const at = (share) => sorted[Math.floor((1 - share) * sorted.length)].lines
  process.stdout.write(`${title}: ${list.length}, lines: median ${at(0.5)}, 90% have at most ${at(0.9)}\n`)
  for (const { what, lines } of sorted.slice(0, 12)) process.stdout.write(`  ${String(lines).padStart(4)}  ${what}\n`)
}

const texts = globSync('**/*.ts', { cwd: folder })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
const files = texts.map(({ file, text }) => ({ what: file, lines: linesIn(text) }))
process.stdout.write(`${files.reduce((sum, { lines }) => sum + lines, 0)} lines\n`)
report('files', files)
report(
  'functions',
  texts.flatMap(({ file, text }) => functionsOf(file, text)),
)
