/** A quoted text or name, a comment, a semicolon, or anything else: whatever may hold a semicolon comes first. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"\-/;]+|[\s\S]/g

/** The statements of a file of SQL, which end in semicolons; comments are left out. */
export function statementsIn(text: string): string[] {
  const statements = ['']
  for (const [part] of text.matchAll(piece)) {
    if (part === ';') statements.push('')
    else if (part.startsWith('--') || part.startsWith('/*')) statements[statements.length - 1] += ' '
    else statements[statements.length - 1] += part
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}
