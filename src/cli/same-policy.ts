/** The policy that a command names, if it is not the usual file; several are named to a server, and none of them is meant alone. */
export function policyIn(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => word === '--policy' || word.startsWith('--policy='))
  const named = argv[at] === '--policy' ? argv[at + 1] : argv[at]?.slice('--policy='.length)
  return at < 0 || argv[2] === 'serve' || !named || named === 'reticent.yaml' ? undefined : named
}

const commands = /\breticent (check|budget|history|synth|ledger (create|epoch|verify|restore))\b(?! --policy)/g

/** Commands in hints, so that they work when they are typed: `reticent check` is about the same policy. */
export function withPolicy(text: string, policy: string | undefined): string {
  if (policy === undefined) return text
  const file = /^[\w./-]+$/.test(policy) ? policy : `'${policy.replaceAll("'", `'\\''`)}'`
  return text.replaceAll(commands, (command) => `${command} --policy ${file}`)
}
