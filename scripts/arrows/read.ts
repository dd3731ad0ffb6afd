import { parseSync } from 'rolldown/utils'
import { type Node, walk } from './walk.ts'

/** One name that a file gets from elsewhere. `name` is the other file's ('*' for all), `local` this one's. */
export interface Specifier {
  name: string
  local: string | undefined
  type: boolean
}

/**
 * Every way to name another file. `target` is undefined where it is not written out as a plain string; `at` is where in
 * the text this stands.
 */
export interface Import {
  how: 'import' | 'export' | 'lazy' | 'type'
  target: string | undefined
  specifiers: Specifier[]
  at: number
}

/** A name in use: `as` says how, where that matters to a rule. */
export interface Use {
  name: string
  as: 'callee' | 'exported' | 'exported type' | 'value'
  member: string | undefined
  at: number
}

export interface Reading {
  errors: string[]
  imports: Import[]
  uses: Use[]
  /** Names after a dot and texts of strings: the other spellings of a member. */
  words: { word: string; at: number }[]
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nodes = (value: unknown) => (Array.isArray(value) ? value.filter(isNode) : [])
const textOf = (node: unknown) =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
/** The name of an identifier, or of a string that stands for one (`import { 'a' as b }`). */
const nameOf = (node: unknown) => (isNode(node) && typeof node.name === 'string' ? node.name : textOf(node))

const statement = (node: Node, how: 'import' | 'export'): Omit<Import, 'at'> => {
  const kind = `${how}Kind`
  const specifiers = nodes(node.specifiers).map((s) => ({
    name: nameOf(how === 'import' ? s.imported : s.local) ?? (s.type === 'ImportDefaultSpecifier' ? 'default' : '*'),
    local: how === 'import' ? nameOf(s.local) : undefined,
    type: node[kind] === 'type' || s[kind] === 'type',
  }))
  return { how, target: textOf(node.source), specifiers }
}
const all = (type: boolean): Specifier[] => [{ name: '*', local: undefined, type }]

/** The forms in which TypeScript names another file, by the parser's word for them. */
const forms: Record<string, (node: Node) => Omit<Import, 'at'> | undefined> = {
  ImportDeclaration: (node) => statement(node, 'import'),
  ExportNamedDeclaration: (node) => (node.source ? statement(node, 'export') : undefined),
  ExportAllDeclaration: (node) => ({
    how: 'export',
    target: textOf(node.source),
    specifiers: all(node.exportKind === 'type'),
  }),
  ImportExpression: (node) => ({ how: 'lazy', target: textOf(node.source), specifiers: all(false) }),
  TSImportType: (node) => ({ how: 'type', target: textOf(node.source), specifiers: all(true) }),
  TSImportEqualsDeclaration: () => ({ how: 'import', target: undefined, specifiers: [] }),
}

/** Places where an identifier is a label of something else, or a type, and not a name in use. */
const silent = new Set([
  'MemberExpression.property',
  'Property.key',
  'MethodDefinition.key',
  'PropertyDefinition.key',
  'TSPropertySignature.key',
  'TSMethodSignature.key',
  'ImportSpecifier.imported',
  'ImportSpecifier.local',
  'ImportDefaultSpecifier.local',
  'ImportNamespaceSpecifier.local',
  'ExportSpecifier.exported',
  'TSTypeReference.typeName',
  'TSTypeQuery.exprName',
  'TSQualifiedName.right',
])

const useOf = (node: Node, parents: Node[], key: string): Omit<Use, 'at'> | undefined => {
  const [parent, grand, great] = parents
  const place = `${parent!.type}.${key}`
  if (silent.has(place) && !parent!.computed) return undefined
  const name = node.name as string
  const member = place === 'MemberExpression.object' && !parent!.computed ? nameOf(parent!.property) : undefined
  if (place === 'CallExpression.callee') return { name, as: 'callee', member }
  if (place === 'ExportDefaultDeclaration.declaration') return { name, as: 'exported', member }
  if (place === 'VariableDeclarator.init' && great?.type === 'ExportNamedDeclaration')
    return { name, as: 'exported', member }
  if (place !== 'ExportSpecifier.local') return { name, as: 'value', member }
  if (grand!.source) return undefined
  const type = grand!.exportKind === 'type' || parent!.exportKind === 'type'
  return { name, as: type ? 'exported type' : 'exported', member }
}

/** What a source file imports, and which names it uses. Any import that TypeScript knows is found, however it is laid out. */
export function read(file: string, text: string): Reading {
  const { program, errors } = parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts', sourceType: 'module' })
  const reading: Reading = { errors: errors.map((e) => e.message), imports: [], uses: [], words: [] }
  walk(program as unknown as Node, (node, parents, key) => {
    const found = forms[node.type]?.(node)
    if (found) reading.imports.push({ ...found, at: node.start })
    if (node.type === 'Identifier') {
      const use = useOf(node, parents, key)
      if (use) reading.uses.push({ ...use, at: node.start })
    }
    const word = node.type === 'Identifier' ? (node.name as string) : textOf(node)
    if (word !== undefined) reading.words.push({ word, at: node.start })
  })
  return reading
}
