/** What a result is printed as. Programs read JSON or, of an answer, CSV. */
export type OutputFormat = 'table' | 'json' | 'csv'

/** The format that a command line asks for; what it says wrongly is refused when its options are read. */
export function formatIn(argv: readonly string[]): OutputFormat {
  if (argv.includes('--json')) return 'json'
  if (argv.includes('--csv')) return 'csv'
  const at = argv.findLastIndex((word) => word === '--output' || word.startsWith('--output='))
  const said = argv[at] === '--output' ? argv[at + 1] : argv[at]?.slice('--output='.length)
  return at >= 0 && (said === 'json' || said === 'csv') ? said : 'table'
}
