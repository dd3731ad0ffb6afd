import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

const root = fileURLToPath(new URL('../../src/', import.meta.url))

/** A public name of the library: what it is, what is said above it, and how it is declared, without bodies. */
export interface Declaration {
  readonly name: string
  readonly kind: 'function' | 'class' | 'type'
  readonly comment: string
  readonly text: string
  /** Its file, from the project's root. */
  readonly file: string
}

interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

interface Source {
  readonly file: string
  readonly text: string
  readonly body: readonly SyntaxNode[]
}

const sources = new Map<string, Source>()
function sourceOf(file: string): Source {
  let source = sources.get(file)
  if (!source) {
    const text = readFileSync(join(root, file), 'utf8')
    source = { file, text, body: (parseSync(file, text).program as unknown as { body: SyntaxNode[] }).body }
    sources.set(file, source)
  }
  return source
}

/** All names that src/index.ts exports, in its order. */
export function publicDeclarations(): Declaration[] {
  return exportsOf('index.ts').map(({ name, from }) => declarationOf(name, from))
}

interface Exported {
  readonly name: string
  /** The file that it comes from. */
  readonly from: string
}

/** Exports by name from other files; here all of them are. */
function exportsOf(file: string): Exported[] {
  return sourceOf(file).body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !node.source) return []
    const from = join(dirname(file), (node.source as { value: string }).value)
    return (node.specifiers as { exported: { name: string } }[]).map(({ exported }) => ({ name: exported.name, from }))
  })
}

/** Follows a name through the doors of folders to where it is declared. */
function declarationOf(name: string, file: string): Declaration {
  const source = sourceOf(file)
  for (const node of source.body) {
    const declared = node.type === 'ExportNamedDeclaration' ? (node.declaration as SyntaxNode | null) : null
    if (declared && namesOf(declared).includes(name)) return read(source, node, declared, name)
  }
  const passedOn = exportsOf(file).find((each) => each.name === name)
  if (!passedOn) throw new Error(`${name} is not declared in ${file}`)
  return declarationOf(name, passedOn.from)
}

const namesOf = (node: SyntaxNode): string[] =>
  node.type === 'VariableDeclaration'
    ? (node.declarations as { id: { name: string } }[]).map(({ id }) => id.name)
    : [(node.id as { name: string } | null)?.name ?? '']

const kinds: { readonly [type: string]: Declaration['kind'] } = {
  FunctionDeclaration: 'function',
  VariableDeclaration: 'function',
  ClassDeclaration: 'class',
}

function read({ file, text }: Source, outer: SyntaxNode, node: SyntaxNode, name: string): Declaration {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, outer.start))?.[1] ?? ''
  return {
    name,
    kind: kinds[node.type] ?? 'type',
    comment: comment.replace(/^\s*\* ?/gm, '').trim(),
    text: withoutBodies(text, node),
    file: join('src', file),
  }
}

/** The declaration as one would read it in an editor: functions end before their bodies, values after their types. */
function withoutBodies(text: string, node: SyntaxNode): string {
  const cuts = bodies(node)
  let out = ''
  let at = node.start
  for (const { start, end } of cuts) {
    out += text.slice(at, start).trimEnd()
    at = end
  }
  return (out + text.slice(at, node.end)).replace(/^async /, '')
}

function bodies(node: SyntaxNode): { start: number; end: number }[] {
  if (node.type === 'FunctionDeclaration') return [node.body as SyntaxNode]
  if (node.type === 'ClassDeclaration')
    return (node.body as { body: SyntaxNode[] }).body.flatMap(({ value }) => {
      const body = (value as { body?: SyntaxNode } | null)?.body
      return body ? [body] : []
    })
  if (node.type !== 'VariableDeclaration') return []
  return (node.declarations as { init: SyntaxNode }[]).map(({ init }) => {
    const body = init.body as SyntaxNode | undefined
    return body ? { start: body.start, end: body.end } : { start: init.start, end: init.end }
  })
}
