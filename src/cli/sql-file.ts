/** A quoted text or name, a comment, a semicolon, or anything else: whatever may hold a semicolon comes first. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"\-/;]+|[\s\S]/g

/** The statements of a file of SQL, which end in semicolons; comments are left out. */
export function statementsIn(text: string): string[] {
  const { statements, rest } = splitStatements(text)
  return rest === '' ? statements : [...statements, rest.trim()]
}

/** The statements that a semicolon has ended, and what is after the last of them. */
export function splitStatements(text: string): { statements: string[]; rest: string } {
  const parts = ['']
  for (const [part] of text.matchAll(piece)) {
    if (part === ';') parts.push('')
    else if (part.startsWith('--') || part.startsWith('/*')) parts[parts.length - 1] += ' '
    else parts[parts.length - 1] += part
  }
  const rest = parts.pop()!
  const statements = parts.map((statement) => statement.trim()).filter((statement) => statement !== '')
  return { statements, rest: rest.trim() === '' ? '' : rest }
}
